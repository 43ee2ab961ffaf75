/** The instruments of demo and benchmarks: latencies, storage calls, processes, and buffers that can be verified. */
@NullMarked
package dev.kvstore.benchmark.measure;

import org.jspecify.annotations.NullMarked;
