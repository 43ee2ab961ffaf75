/** How many users there are, from what storage can take: state machines over samples, without threads or a clock. */
@NullMarked
package dev.kvstore.benchmark.kvcache.scale;

import org.jspecify.annotations.NullMarked;
