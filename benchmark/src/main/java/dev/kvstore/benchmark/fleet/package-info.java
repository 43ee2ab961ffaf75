/** {@code kv bench fleet} and {@code kv bench routes}: how the control plane does with many processes and clients. */
@NullMarked
package dev.kvstore.benchmark.fleet;

import org.jspecify.annotations.NullMarked;
