@NullMarked
package dev.kvstore.benchmark.kvcache.policy;

import org.jspecify.annotations.NullMarked;
