@NullMarked
package dev.kvstore.benchmark.kvcache.tier;

import org.jspecify.annotations.NullMarked;
