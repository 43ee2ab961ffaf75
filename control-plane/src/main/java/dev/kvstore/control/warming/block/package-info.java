/** The blocks of a warming: their order, packed in chunks, and their outcomes. */
@NullMarked
package dev.kvstore.control.warming.block;

import org.jspecify.annotations.NullMarked;
