/**
 * How much of a region's hits another one keeps that was warmed, and what warming costs those who are served meanwhile.
 */
@NullMarked
package dev.kvstore.benchmark.warming;

import org.jspecify.annotations.NullMarked;
