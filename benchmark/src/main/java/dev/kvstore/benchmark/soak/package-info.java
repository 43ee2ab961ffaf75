/** {@code kv bench soak}: clients that pause, leave, cancel and hurry for an hour, and what that leaves behind. */
@NullMarked
package dev.kvstore.benchmark.soak;

import org.jspecify.annotations.NullMarked;
