/** What data planes ask: who may do what, and what has changed. */
@NullMarked
package dev.kvstore.control.resolve;

import org.jspecify.annotations.NullMarked;
