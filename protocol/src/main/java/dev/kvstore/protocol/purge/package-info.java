/** The names that purges give to storage, the same for the control plane and data planes. */
@NullMarked
package dev.kvstore.protocol.purge;

import org.jspecify.annotations.NullMarked;
