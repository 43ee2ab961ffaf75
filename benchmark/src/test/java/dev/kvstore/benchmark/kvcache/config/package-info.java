@NullMarked
package dev.kvstore.benchmark.kvcache.config;

import org.jspecify.annotations.NullMarked;
