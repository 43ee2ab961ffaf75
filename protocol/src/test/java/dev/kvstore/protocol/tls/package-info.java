@NullMarked
package dev.kvstore.protocol.tls;

import org.jspecify.annotations.NullMarked;
