/** Tests of the operations of a client. */
@NullMarked
package dev.kvstore.client.internal.session;

import org.jspecify.annotations.NullMarked;
