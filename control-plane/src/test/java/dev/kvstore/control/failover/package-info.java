@NullMarked
package dev.kvstore.control.failover;

import org.jspecify.annotations.NullMarked;
