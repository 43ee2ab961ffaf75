@NullMarked
package dev.kvstore.benchmark.kvcache.workload;

import org.jspecify.annotations.NullMarked;
