@NullMarked
package dev.kvstore.benchmark.kvcache.engine;

import org.jspecify.annotations.NullMarked;
