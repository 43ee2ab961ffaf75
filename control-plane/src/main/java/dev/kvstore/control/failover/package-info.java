/** Moving an account's home to another region: what that would cost is told before it is done. */
@NullMarked
package dev.kvstore.control.failover;

import org.jspecify.annotations.NullMarked;
