/** Tests of which hosts are meant. */
@NullMarked
package dev.kvstore.protocol.host;

import org.jspecify.annotations.NullMarked;
