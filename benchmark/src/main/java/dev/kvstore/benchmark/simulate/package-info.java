/** {@code kv bench simulate}. */
@NullMarked
package dev.kvstore.benchmark.simulate;

import org.jspecify.annotations.NullMarked;
