@NullMarked
package dev.kvstore.benchmark.kvcache.block;

import org.jspecify.annotations.NullMarked;
