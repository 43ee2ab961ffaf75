/** {@code kv bench fleet}: how the control plane does with many processes. */
@NullMarked
package dev.kvstore.benchmark.fleet;

import org.jspecify.annotations.NullMarked;
