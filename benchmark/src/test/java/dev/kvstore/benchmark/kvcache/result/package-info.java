@NullMarked
package dev.kvstore.benchmark.kvcache.result;

import org.jspecify.annotations.NullMarked;
