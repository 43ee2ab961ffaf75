/** The filesystem backend. */
@NullMarked
package dev.kvstore.dataplane.storage.filesystem;

import org.jspecify.annotations.NullMarked;
