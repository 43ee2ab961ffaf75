/** Which tier an entry goes to, and what has to go for it: a state machine over sizes, without bytes, threads or a clock. */
@NullMarked
package dev.kvstore.benchmark.kvcache.policy;

import org.jspecify.annotations.NullMarked;
