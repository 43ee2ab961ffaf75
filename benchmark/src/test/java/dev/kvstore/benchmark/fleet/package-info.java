@NullMarked
package dev.kvstore.benchmark.fleet;

import org.jspecify.annotations.NullMarked;
