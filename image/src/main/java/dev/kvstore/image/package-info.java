/** Images of the programs: their content, their build without a container engine, and the push to registries. */
@NullMarked
package dev.kvstore.image;

import org.jspecify.annotations.NullMarked;
