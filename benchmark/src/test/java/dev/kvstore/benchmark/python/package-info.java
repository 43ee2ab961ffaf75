@NullMarked
package dev.kvstore.benchmark.python;

import org.jspecify.annotations.NullMarked;
