/** Patterns of hosts. */
@NullMarked
package dev.kvstore.protocol.host;

import org.jspecify.annotations.NullMarked;
