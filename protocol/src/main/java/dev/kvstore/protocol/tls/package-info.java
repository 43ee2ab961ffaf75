/**
 * Certificates and keys in PEM files, read and followed by both ends of a connection. The package depends on no TLS
 * stack.
 */
@NullMarked
package dev.kvstore.protocol.tls;

import org.jspecify.annotations.NullMarked;
