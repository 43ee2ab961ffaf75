@NullMarked
package dev.kvstore.protocol.block;

import org.jspecify.annotations.NullMarked;
