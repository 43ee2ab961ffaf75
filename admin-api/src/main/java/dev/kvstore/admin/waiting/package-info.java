/** Calls that are answered once something has come about. */
@NullMarked
package dev.kvstore.admin.waiting;

import org.jspecify.annotations.NullMarked;
