@NullMarked
package dev.kvstore.benchmark.engine;

import org.jspecify.annotations.NullMarked;
