/** The questions of data planes: what a key may do, and what has changed. */
@NullMarked
package dev.kvstore.control.resolve;

import org.jspecify.annotations.NullMarked;
