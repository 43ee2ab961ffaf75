@NullMarked
package dev.kvstore.benchmark.kvcache.replay;

import org.jspecify.annotations.NullMarked;
