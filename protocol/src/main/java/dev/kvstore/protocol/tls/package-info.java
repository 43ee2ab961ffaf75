/** Certificates and keys in PEM files, read and followed alike by both ends of a connection. Knows no TLS stack. */
@NullMarked
package dev.kvstore.protocol.tls;

import org.jspecify.annotations.NullMarked;
