/** Rewrites the product's classes, so that they run in a simulated world. */
@NullMarked
package dev.kvstore.simulation.rewriting;

import org.jspecify.annotations.NullMarked;
