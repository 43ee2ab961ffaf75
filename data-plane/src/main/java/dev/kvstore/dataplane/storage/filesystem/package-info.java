/** Blobs as files of one directory, shared by any number of processes of one machine. */
@NullMarked
package dev.kvstore.dataplane.storage.filesystem;

import org.jspecify.annotations.NullMarked;
