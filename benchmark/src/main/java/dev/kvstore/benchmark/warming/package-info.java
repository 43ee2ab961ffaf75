/**
 * How much of a region's hits a warmed region keeps, and the cost of warming to clients that are served meanwhile.
 */
@NullMarked
package dev.kvstore.benchmark.warming;

import org.jspecify.annotations.NullMarked;
