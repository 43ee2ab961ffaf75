/** The promises of every backend, and those that each adds. */
@NullMarked
package dev.kvstore.dataplane.storage;

import org.jspecify.annotations.NullMarked;
