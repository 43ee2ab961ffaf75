/** Tests of writes: blocks on their way, and the ends of calls and writers. */
@NullMarked
package dev.kvstore.client.internal.write;

import org.jspecify.annotations.NullMarked;
