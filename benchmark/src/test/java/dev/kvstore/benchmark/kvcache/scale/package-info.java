@NullMarked
package dev.kvstore.benchmark.kvcache.scale;

import org.jspecify.annotations.NullMarked;
