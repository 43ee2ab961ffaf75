/** Moving an account's home to another region, and planning what that would cost. */
@NullMarked
package dev.kvstore.control.failover;

import org.jspecify.annotations.NullMarked;
