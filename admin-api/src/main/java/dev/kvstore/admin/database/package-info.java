/** The database: the pools of its connections, transactions, and statements with names. */
@NullMarked
package dev.kvstore.admin.database;

import org.jspecify.annotations.NullMarked;
