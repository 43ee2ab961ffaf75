/** Tells clients and admins which processes serve an account. */
@NullMarked
package dev.kvstore.control.route;

import org.jspecify.annotations.NullMarked;
