/** The requests that users make, and their times: pure, without threads or a clock of the machine. */
@NullMarked
package dev.kvstore.benchmark.kvcache.workload;

import org.jspecify.annotations.NullMarked;
