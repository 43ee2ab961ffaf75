@NullMarked
package dev.kvstore.benchmark.kvcache.random;

import org.jspecify.annotations.NullMarked;
