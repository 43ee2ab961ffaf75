/** Storage accounts: the names that requests use, and where their blobs are. */
@NullMarked
package dev.kvstore.accounts.account;

import org.jspecify.annotations.NullMarked;
