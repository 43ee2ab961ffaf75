/** Promises, and the faults that excuse a broken one: each answer of a history is held against them. */
@NullMarked
package dev.kvstore.simulation.promise;

import org.jspecify.annotations.NullMarked;
