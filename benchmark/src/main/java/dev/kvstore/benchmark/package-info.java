/** {@code kv bench} and {@code kv demo}: a package per command, and {@code measure} for what they have in common. */
@NullMarked
package dev.kvstore.benchmark;

import org.jspecify.annotations.NullMarked;
