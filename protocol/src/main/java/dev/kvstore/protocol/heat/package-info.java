/** The count of uses, the same for data planes and the control plane. */
@NullMarked
package dev.kvstore.protocol.heat;

import org.jspecify.annotations.NullMarked;
