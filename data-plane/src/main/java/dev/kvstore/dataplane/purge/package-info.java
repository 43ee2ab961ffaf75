/** Purges: heard of from the control plane, deleted in storage, forgotten in memory and on disk. */
@NullMarked
package dev.kvstore.dataplane.purge;

import org.jspecify.annotations.NullMarked;
