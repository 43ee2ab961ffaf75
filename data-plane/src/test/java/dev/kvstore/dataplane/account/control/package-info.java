@NullMarked
package dev.kvstore.dataplane.account.control;

import org.jspecify.annotations.NullMarked;
