/** Runs a few threads under many schedules, so that races between two instructions show. */
@NullMarked
package dev.kvstore.testing.schedule;

import org.jspecify.annotations.NullMarked;
