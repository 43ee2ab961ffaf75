/** Processes that a measurement starts beside itself, and the lines that pass between both. */
@NullMarked
package dev.kvstore.benchmark.process;

import org.jspecify.annotations.NullMarked;
