/** Metrics of both programs: their declaration, names and page. */
@NullMarked
package dev.kvstore.metrics;

import org.jspecify.annotations.NullMarked;
