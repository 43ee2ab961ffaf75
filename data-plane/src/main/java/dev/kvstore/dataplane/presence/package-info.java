/** Presence, the knowledge of which blocks are stored, and the search for the longest stored prefix. */
@NullMarked
package dev.kvstore.dataplane.presence;

import org.jspecify.annotations.NullMarked;
