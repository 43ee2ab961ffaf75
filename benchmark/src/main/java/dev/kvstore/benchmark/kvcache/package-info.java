/**
 * {@code kv bench kv-cache}: the workload of MLPerf Storage's KV-cache benchmark. {@code model}, {@code workload} and
 * {@code policy} are pure; {@code tier} holds bytes, {@code service} is below them; {@code block} is prompts in blocks;
 * {@code engine} runs; {@code result} has the findings; {@code suite} has several runs.
 */
@NullMarked
package dev.kvstore.benchmark.kvcache;

import org.jspecify.annotations.NullMarked;
