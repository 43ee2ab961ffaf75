/** How fast something may be on average. */
@NullMarked
package dev.kvstore.dataplane.rate;

import org.jspecify.annotations.NullMarked;
