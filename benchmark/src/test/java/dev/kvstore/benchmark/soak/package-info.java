@NullMarked
package dev.kvstore.benchmark.soak;

import org.jspecify.annotations.NullMarked;
