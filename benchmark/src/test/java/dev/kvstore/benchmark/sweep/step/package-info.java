/** Tests of the steps of a sweep: what is asked, and what was measured. */
@NullMarked
package dev.kvstore.benchmark.sweep.step;

import org.jspecify.annotations.NullMarked;
