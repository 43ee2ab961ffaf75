/** KVStoreService: requests checked, calls served, streams bounded. */
@NullMarked
package dev.kvstore.dataplane.service;

import org.jspecify.annotations.NullMarked;
