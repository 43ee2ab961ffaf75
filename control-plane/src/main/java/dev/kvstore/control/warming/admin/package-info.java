/** Warmings as admins see and order them. */
@NullMarked
package dev.kvstore.control.warming.admin;

import org.jspecify.annotations.NullMarked;
