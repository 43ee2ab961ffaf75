@NullMarked
package dev.kvstore.benchmark.sweep;

import org.jspecify.annotations.NullMarked;
