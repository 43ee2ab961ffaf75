@NullMarked
package dev.kvstore.accounts.key;

import org.jspecify.annotations.NullMarked;
