/** Copies hot blocks of one region into another: warmings, their planning, claims and reports. */
@NullMarked
package dev.kvstore.control.warming;

import org.jspecify.annotations.NullMarked;
