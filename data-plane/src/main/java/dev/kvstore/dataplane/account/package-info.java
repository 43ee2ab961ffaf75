/** Finds an account, a key's rights on it and its store, by a credential and a resource name. */
@NullMarked
package dev.kvstore.dataplane.account;

import org.jspecify.annotations.NullMarked;
