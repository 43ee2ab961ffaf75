@NullMarked
package dev.kvstore.client.routing;

import org.jspecify.annotations.NullMarked;
