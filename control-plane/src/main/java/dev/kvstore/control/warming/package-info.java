/** Copies what is hot in one region into another: jobs, how they are planned, claimed and reported on. */
@NullMarked
package dev.kvstore.control.warming;

import org.jspecify.annotations.NullMarked;
