/** {@code kv doctor}: finds what is wrong, and names the way out. */
@NullMarked
package dev.kvstore.doctor;

import org.jspecify.annotations.NullMarked;
