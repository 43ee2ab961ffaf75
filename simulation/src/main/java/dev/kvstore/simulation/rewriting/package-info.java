/** Classes of the product, made to live in a simulated world. */
@NullMarked
package dev.kvstore.simulation.rewriting;

import org.jspecify.annotations.NullMarked;
