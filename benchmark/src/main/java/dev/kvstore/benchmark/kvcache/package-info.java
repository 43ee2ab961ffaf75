/**
 * {@code kv bench kv-cache}: the workload of MLPerf Storage's KV-cache benchmark. {@code model}, {@code workload} and {@code
 * policy} are pure; {@code tier} holds bytes; {@code engine} runs; {@code result} says what was found.
 */
@NullMarked
package dev.kvstore.benchmark.kvcache;

import org.jspecify.annotations.NullMarked;
