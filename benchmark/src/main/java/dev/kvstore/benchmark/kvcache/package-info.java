/**
 * {@code kv bench kv-cache}: the workload of MLPerf Storage's KV-cache benchmark. {@code workload} and the policy of
 * {@code tier} are pure; {@code tier} holds bytes; {@code block} is prompts in blocks; {@code engine} runs;
 * {@code result} has the findings.
 */
@NullMarked
package dev.kvstore.benchmark.kvcache;

import org.jspecify.annotations.NullMarked;
