/** The pools of the database's connections. */
@NullMarked
package dev.kvstore.admin.database;

import org.jspecify.annotations.NullMarked;
