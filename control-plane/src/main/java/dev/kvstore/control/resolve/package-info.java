/** The questions of data planes: the rights of a key, and the changes of the registries. */
@NullMarked
package dev.kvstore.control.resolve;

import org.jspecify.annotations.NullMarked;
