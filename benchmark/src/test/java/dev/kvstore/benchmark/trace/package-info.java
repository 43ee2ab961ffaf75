@NullMarked
package dev.kvstore.benchmark.trace;

import org.jspecify.annotations.NullMarked;
