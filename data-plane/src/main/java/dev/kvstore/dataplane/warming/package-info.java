/** Copies blocks of other regions into this one's storage, as the control plane has it, and keeps the hottest near. */
@NullMarked
package dev.kvstore.dataplane.warming;

import org.jspecify.annotations.NullMarked;
