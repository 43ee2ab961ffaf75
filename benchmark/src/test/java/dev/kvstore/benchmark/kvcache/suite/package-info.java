@NullMarked
package dev.kvstore.benchmark.kvcache.suite;

import org.jspecify.annotations.NullMarked;
