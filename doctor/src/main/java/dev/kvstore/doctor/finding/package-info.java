/** Checks, what they find, and how they are carried out. */
@NullMarked
package dev.kvstore.doctor.finding;

import org.jspecify.annotations.NullMarked;
