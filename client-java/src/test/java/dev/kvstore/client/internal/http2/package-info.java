@NullMarked
package dev.kvstore.client.internal.http2;

import org.jspecify.annotations.NullMarked;
