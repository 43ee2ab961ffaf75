@NullMarked
package dev.kvstore.accounts.resolve;

import org.jspecify.annotations.NullMarked;
