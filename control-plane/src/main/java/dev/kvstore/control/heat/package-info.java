/** Which blocks of an account are used in a region: told by data planes, merged, and shown. */
@NullMarked
package dev.kvstore.control.heat;

import org.jspecify.annotations.NullMarked;
