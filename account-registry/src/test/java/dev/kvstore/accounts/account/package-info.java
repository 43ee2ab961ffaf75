@NullMarked
package dev.kvstore.accounts.account;

import org.jspecify.annotations.NullMarked;
