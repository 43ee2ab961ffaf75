/** API keys: who speaks for a tenant. */
@NullMarked
package dev.kvstore.accounts.key;

import org.jspecify.annotations.NullMarked;
