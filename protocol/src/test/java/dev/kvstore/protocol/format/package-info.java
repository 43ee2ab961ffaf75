@NullMarked
package dev.kvstore.protocol.format;

import org.jspecify.annotations.NullMarked;
