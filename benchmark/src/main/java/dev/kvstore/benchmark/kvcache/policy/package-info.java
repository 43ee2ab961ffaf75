/**
 * Chooses the tier of an entry, and the entries that leave a tier to make room: a state machine over sizes, without
 * bytes, threads or a clock.
 */
@NullMarked
package dev.kvstore.benchmark.kvcache.policy;

import org.jspecify.annotations.NullMarked;
