/** What is kept close: blocks in off-heap memory, and one load per block however many ask. */
@NullMarked
package dev.kvstore.dataplane.tier;

import org.jspecify.annotations.NullMarked;
