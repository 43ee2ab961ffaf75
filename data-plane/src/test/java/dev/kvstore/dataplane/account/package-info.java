@NullMarked
package dev.kvstore.dataplane.account;

import org.jspecify.annotations.NullMarked;
