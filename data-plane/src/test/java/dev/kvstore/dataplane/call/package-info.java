/** Tests of calls: messages, waits, slots, fairness, strangers and stalls. Knows no block. */
@NullMarked
package dev.kvstore.dataplane.call;

import org.jspecify.annotations.NullMarked;
