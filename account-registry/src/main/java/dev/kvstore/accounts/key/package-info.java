/** API keys, which speak for tenants. */
@NullMarked
package dev.kvstore.accounts.key;

import org.jspecify.annotations.NullMarked;
