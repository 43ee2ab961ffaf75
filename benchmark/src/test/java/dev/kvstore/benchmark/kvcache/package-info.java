@NullMarked
package dev.kvstore.benchmark.kvcache;

import org.jspecify.annotations.NullMarked;
