/** Tests of reads: parts that become blocks, streams that survive broken calls. */
@NullMarked
package dev.kvstore.client.internal.read;

import org.jspecify.annotations.NullMarked;
