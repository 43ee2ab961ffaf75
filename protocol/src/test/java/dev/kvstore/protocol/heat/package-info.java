@NullMarked
package dev.kvstore.protocol.heat;

import org.jspecify.annotations.NullMarked;
