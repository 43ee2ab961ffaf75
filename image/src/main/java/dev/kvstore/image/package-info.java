/** Images of the programs: their content, how they are built without a container engine, where they are pushed. */
@NullMarked
package dev.kvstore.image;

import org.jspecify.annotations.NullMarked;
