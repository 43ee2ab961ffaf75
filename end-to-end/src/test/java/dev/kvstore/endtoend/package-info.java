/** Whole stacks of real processes, used as their users use them. */
@NullMarked
package dev.kvstore.endtoend;

import org.jspecify.annotations.NullMarked;
