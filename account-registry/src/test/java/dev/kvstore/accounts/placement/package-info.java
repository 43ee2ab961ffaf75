@NullMarked
package dev.kvstore.accounts.placement;

import org.jspecify.annotations.NullMarked;
