/** Images of the programs: what is in them, how they are built without a container engine, where they are pushed. */
@NullMarked
package dev.kvstore.image;

import org.jspecify.annotations.NullMarked;
