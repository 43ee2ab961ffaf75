/** Which cluster of a region serves an account. */
@NullMarked
package dev.kvstore.accounts.placement;

import org.jspecify.annotations.NullMarked;
