/** All metrics of a data plane. Code that counts something registers its meters by these. */
@NullMarked
package dev.kvstore.dataplane.metrics;

import org.jspecify.annotations.NullMarked;
