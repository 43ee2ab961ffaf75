/** {@code --block-tokens}: prompts as chains of blocks, looked up before they are read, as an inference engine does. */
@NullMarked
package dev.kvstore.benchmark.kvcache.block;

import org.jspecify.annotations.NullMarked;
