/** Grants: the permissions that owners of accounts give to other tenants. */
@NullMarked
package dev.kvstore.accounts.grant;

import org.jspecify.annotations.NullMarked;
