/** How a disk answers, as the kernel sees it: {@code --enable-latency-tracing}. */
@NullMarked
package dev.kvstore.benchmark.kvcache.device;

import org.jspecify.annotations.NullMarked;
