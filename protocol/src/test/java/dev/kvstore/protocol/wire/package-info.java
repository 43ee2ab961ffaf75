@NullMarked
package dev.kvstore.protocol.wire;

import org.jspecify.annotations.NullMarked;
