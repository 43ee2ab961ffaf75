@NullMarked
package dev.kvstore.protocol.purge;

import org.jspecify.annotations.NullMarked;
