/** PostgreSQL: connections, and the schema. */
@NullMarked
package dev.kvstore.control.database;

import org.jspecify.annotations.NullMarked;
