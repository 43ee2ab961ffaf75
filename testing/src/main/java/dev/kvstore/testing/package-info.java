/** Fixtures shared by tests. */
@NullMarked
package dev.kvstore.testing;

import org.jspecify.annotations.NullMarked;
