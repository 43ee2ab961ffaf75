/** Calls that are answered once a state is reached. */
@NullMarked
package dev.kvstore.admin.waiting;

import org.jspecify.annotations.NullMarked;
