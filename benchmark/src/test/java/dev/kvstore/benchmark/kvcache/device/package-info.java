@NullMarked
package dev.kvstore.benchmark.kvcache.device;

import org.jspecify.annotations.NullMarked;
