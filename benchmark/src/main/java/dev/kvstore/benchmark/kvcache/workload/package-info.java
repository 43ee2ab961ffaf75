/** Which requests users make, and when: pure, without threads or a clock of the machine. */
@NullMarked
package dev.kvstore.benchmark.kvcache.workload;

import org.jspecify.annotations.NullMarked;
