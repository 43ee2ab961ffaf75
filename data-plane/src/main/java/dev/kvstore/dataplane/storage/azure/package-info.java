/** Blobs in a container of Azure Blob Storage, or of anything that speaks its protocol. */
@NullMarked
package dev.kvstore.dataplane.storage.azure;

import org.jspecify.annotations.NullMarked;
