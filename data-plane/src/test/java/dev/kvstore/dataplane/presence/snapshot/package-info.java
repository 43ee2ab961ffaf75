@NullMarked
package dev.kvstore.dataplane.presence.snapshot;

import org.jspecify.annotations.NullMarked;
