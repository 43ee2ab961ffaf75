/** What owners of accounts let other tenants do. */
@NullMarked
package dev.kvstore.accounts.grant;

import org.jspecify.annotations.NullMarked;
