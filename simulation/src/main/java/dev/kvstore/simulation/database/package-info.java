/** The PostgreSQL that simulated control planes share: loaded once, as it is, and in real time. */
@NullMarked
package dev.kvstore.simulation.database;

import org.jspecify.annotations.NullMarked;
