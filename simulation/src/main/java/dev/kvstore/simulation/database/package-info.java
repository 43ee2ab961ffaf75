/**
 * The PostgreSQL that simulated control planes share. Its classes are loaded once, without rewriting, and see real
 * time.
 */
@NullMarked
package dev.kvstore.simulation.database;

import org.jspecify.annotations.NullMarked;
