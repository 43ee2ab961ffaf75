/** The Azure backend. */
@NullMarked
package dev.kvstore.dataplane.storage.azure;

import org.jspecify.annotations.NullMarked;
