/** What is promised, and what excuses it: each answer of a history is held against it. */
@NullMarked
package dev.kvstore.simulation.promise;

import org.jspecify.annotations.NullMarked;
