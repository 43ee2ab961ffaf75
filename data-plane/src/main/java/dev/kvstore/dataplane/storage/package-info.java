/** Blobs in a tenant's storage: one interface, a package per backend. */
@NullMarked
package dev.kvstore.dataplane.storage;

import org.jspecify.annotations.NullMarked;
