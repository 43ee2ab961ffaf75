@NullMarked
package dev.kvstore.benchmark.attack;

import org.jspecify.annotations.NullMarked;
