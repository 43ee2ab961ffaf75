/** {@code kv bench kill}: a data plane killed again and again while it is written to, and what is there afterwards. */
@NullMarked
package dev.kvstore.benchmark.kill;

import org.jspecify.annotations.NullMarked;
