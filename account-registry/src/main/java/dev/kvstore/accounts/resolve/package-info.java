/** The answers to data planes: the rights of a key on a resource. */
@NullMarked
package dev.kvstore.accounts.resolve;

import org.jspecify.annotations.NullMarked;
