/** Simulated storage: containers, their troubles, and damaged blobs. */
@NullMarked
package dev.kvstore.simulation.storage;

import org.jspecify.annotations.NullMarked;
