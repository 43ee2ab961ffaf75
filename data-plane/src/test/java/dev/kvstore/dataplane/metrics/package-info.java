@NullMarked
package dev.kvstore.dataplane.metrics;

import org.jspecify.annotations.NullMarked;
