/** What a key may do with a resource, as data planes ask it. */
@NullMarked
package dev.kvstore.accounts.resolve;

import org.jspecify.annotations.NullMarked;
