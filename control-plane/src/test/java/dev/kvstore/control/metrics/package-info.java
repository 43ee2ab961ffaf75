@NullMarked
package dev.kvstore.control.metrics;

import org.jspecify.annotations.NullMarked;
