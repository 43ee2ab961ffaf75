/** {@code kv demo}: the main job of KV Store on real text, every restored byte verified. */
@NullMarked
package dev.kvstore.benchmark.demo;

import org.jspecify.annotations.NullMarked;
