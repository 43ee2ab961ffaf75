/** How the database's connections are shared out. */
@NullMarked
package dev.kvstore.admin.database;

import org.jspecify.annotations.NullMarked;
