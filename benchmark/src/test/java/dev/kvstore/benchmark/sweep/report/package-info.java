/** Tests of the report of a sweep: series of steps, comparisons, operating points, charts and page. */
@NullMarked
package dev.kvstore.benchmark.sweep.report;

import org.jspecify.annotations.NullMarked;
