/** Writes: blocks on their way, and what becomes of them. */
@NullMarked
package dev.kvstore.client.internal.write;

import org.jspecify.annotations.NullMarked;
