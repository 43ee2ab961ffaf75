/** The stored form of a block: header layout and checksums. */
@NullMarked
package dev.kvstore.protocol.format;

import org.jspecify.annotations.NullMarked;
