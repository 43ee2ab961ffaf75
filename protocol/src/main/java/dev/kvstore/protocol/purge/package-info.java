/** How purges name storage, by the control plane and data planes alike. */
@NullMarked
package dev.kvstore.protocol.purge;

import org.jspecify.annotations.NullMarked;
