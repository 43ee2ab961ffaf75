/**
 * Which tier an entry goes to, and which entries have to leave for it: a state machine over sizes, without bytes,
 * threads or a clock.
 */
@NullMarked
package dev.kvstore.benchmark.kvcache.policy;

import org.jspecify.annotations.NullMarked;
