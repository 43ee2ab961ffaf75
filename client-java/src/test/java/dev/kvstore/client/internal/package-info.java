@NullMarked
package dev.kvstore.client.internal;

import org.jspecify.annotations.NullMarked;
