/**
 * {@code kv bench kill}: kills a data plane again and again while clients write to it, and checks the stored blocks
 * afterwards.
 */
@NullMarked
package dev.kvstore.benchmark.kill;

import org.jspecify.annotations.NullMarked;
