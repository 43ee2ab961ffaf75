/** Runs histories of simulated data planes, shrinks histories that break a promise, and looks for planted bugs. */
@NullMarked
package dev.kvstore.simulation;

import org.jspecify.annotations.NullMarked;
