/** The answers to data planes: what a key may do with a resource. */
@NullMarked
package dev.kvstore.accounts.resolve;

import org.jspecify.annotations.NullMarked;
