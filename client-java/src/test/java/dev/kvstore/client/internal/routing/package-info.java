@NullMarked
package dev.kvstore.client.internal.routing;

import org.jspecify.annotations.NullMarked;
