@NullMarked
package dev.kvstore.accounts.tenant;

import org.jspecify.annotations.NullMarked;
