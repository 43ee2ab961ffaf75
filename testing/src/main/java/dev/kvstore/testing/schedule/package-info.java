/** Runs a few threads under many schedules, to reveal races between two instructions. */
@NullMarked
package dev.kvstore.testing.schedule;

import org.jspecify.annotations.NullMarked;
