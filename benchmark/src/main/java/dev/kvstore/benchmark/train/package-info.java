/** {@code kv train}: a run of the service that its next starts profit from. */
@NullMarked
package dev.kvstore.benchmark.train;

import org.jspecify.annotations.NullMarked;
