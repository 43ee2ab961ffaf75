/** The file of {@code --config}: its keys, their types and their defaults. */
@NullMarked
package dev.kvstore.benchmark.kvcache.config;

import org.jspecify.annotations.NullMarked;
