/** What is known to be stored, and the search for the longest stored prefix. */
@NullMarked
package dev.kvstore.dataplane.presence;

import org.jspecify.annotations.NullMarked;
