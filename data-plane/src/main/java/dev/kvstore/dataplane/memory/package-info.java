/** Off-heap memory of blocks: reference-counted, and bounded for the whole process. */
@NullMarked
package dev.kvstore.dataplane.memory;

import org.jspecify.annotations.NullMarked;
