/** All metrics of a data plane. Whoever counts something registers its meters by these. */
@NullMarked
package dev.kvstore.dataplane.metrics;

import org.jspecify.annotations.NullMarked;
