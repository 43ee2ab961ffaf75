/** How use is counted, by data planes and the control plane alike. */
@NullMarked
package dev.kvstore.protocol.heat;

import org.jspecify.annotations.NullMarked;
