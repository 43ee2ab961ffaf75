/** Random numbers as CPython and numpy make them, and streams that do not depend on threads. */
@NullMarked
package dev.kvstore.benchmark.kvcache.random;

import org.jspecify.annotations.NullMarked;
