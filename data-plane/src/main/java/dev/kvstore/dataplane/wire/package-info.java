/** Messages that are sent from the memory their blocks lie in. */
@NullMarked
package dev.kvstore.dataplane.wire;

import org.jspecify.annotations.NullMarked;
