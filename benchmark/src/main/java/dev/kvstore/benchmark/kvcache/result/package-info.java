/** The figures of a run, as the original's JSON and as a report. */
@NullMarked
package dev.kvstore.benchmark.kvcache.result;

import org.jspecify.annotations.NullMarked;
