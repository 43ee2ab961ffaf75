@NullMarked
package dev.kvstore.benchmark.kvcache.model;

import org.jspecify.annotations.NullMarked;
