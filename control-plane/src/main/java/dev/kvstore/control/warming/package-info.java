/** Copies hot blocks of one region into another: jobs, how they are planned, claimed and reported on. */
@NullMarked
package dev.kvstore.control.warming;

import org.jspecify.annotations.NullMarked;
