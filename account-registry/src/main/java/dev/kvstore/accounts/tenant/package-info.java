/** Tenants: customers who own storage, and model providers who use it; one may be both. */
@NullMarked
package dev.kvstore.accounts.tenant;

import org.jspecify.annotations.NullMarked;
