@NullMarked
package dev.kvstore.benchmark.limits;

import org.jspecify.annotations.NullMarked;
