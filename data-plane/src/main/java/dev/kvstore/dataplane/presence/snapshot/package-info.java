/**
 * Snapshots: the stored blocks of a partition at one moment, compact in memory, and in immutable parts in the tenant's
 * storage.
 */
@NullMarked
package dev.kvstore.dataplane.presence.snapshot;

import org.jspecify.annotations.NullMarked;
