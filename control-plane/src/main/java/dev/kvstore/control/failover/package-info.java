/** Plans what a move of an account's home to another region would cost, and carries it out. */
@NullMarked
package dev.kvstore.control.failover;

import org.jspecify.annotations.NullMarked;
