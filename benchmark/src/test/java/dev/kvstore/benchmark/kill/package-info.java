@NullMarked
package dev.kvstore.benchmark.kill;

import org.jspecify.annotations.NullMarked;
