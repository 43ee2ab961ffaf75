@NullMarked
package dev.kvstore.accounts;

import org.jspecify.annotations.NullMarked;
