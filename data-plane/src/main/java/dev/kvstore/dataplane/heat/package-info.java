/** How much which blocks are used here, and telling the control plane. */
@NullMarked
package dev.kvstore.dataplane.heat;

import org.jspecify.annotations.NullMarked;
