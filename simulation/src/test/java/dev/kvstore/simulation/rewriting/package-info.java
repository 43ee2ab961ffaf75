/** Tests of rewriting. */
@NullMarked
package dev.kvstore.simulation.rewriting;

import org.jspecify.annotations.NullMarked;
