/** Limits how fast something happens on average. */
@NullMarked
package dev.kvstore.dataplane.rate;

import org.jspecify.annotations.NullMarked;
