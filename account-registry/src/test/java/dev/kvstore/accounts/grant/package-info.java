@NullMarked
package dev.kvstore.accounts.grant;

import org.jspecify.annotations.NullMarked;
