/** Jobs of all kinds, such as warmings and purges: their tables, and how data planes claim parts of them. */
@NullMarked
package dev.kvstore.control.job;

import org.jspecify.annotations.NullMarked;
