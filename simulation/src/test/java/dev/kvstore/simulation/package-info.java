/** Tests of the simulation. */
@NullMarked
package dev.kvstore.simulation;

import org.jspecify.annotations.NullMarked;
