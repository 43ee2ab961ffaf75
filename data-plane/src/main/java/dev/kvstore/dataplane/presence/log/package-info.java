/** Logs of stored blocks, which are as new as the last write: this process's own, and those of others. */
@NullMarked
package dev.kvstore.dataplane.presence.log;

import org.jspecify.annotations.NullMarked;
