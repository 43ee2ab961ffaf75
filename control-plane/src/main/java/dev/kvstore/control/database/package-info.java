/** PostgreSQL: one of its own if none is named, and its schema. */
@NullMarked
package dev.kvstore.control.database;

import org.jspecify.annotations.NullMarked;
