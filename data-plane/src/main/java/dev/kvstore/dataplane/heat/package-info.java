/** Counts how much blocks are used here, and reports that to the control plane. */
@NullMarked
package dev.kvstore.dataplane.heat;

import org.jspecify.annotations.NullMarked;
