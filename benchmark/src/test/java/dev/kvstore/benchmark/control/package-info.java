@NullMarked
package dev.kvstore.benchmark.control;

import org.jspecify.annotations.NullMarked;
