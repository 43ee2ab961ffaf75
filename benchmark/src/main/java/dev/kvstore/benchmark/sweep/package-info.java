/** {@code kv bench sweep}: one load at rising concurrency, and what follows from it for who runs the service. */
@NullMarked
package dev.kvstore.benchmark.sweep;

import org.jspecify.annotations.NullMarked;
