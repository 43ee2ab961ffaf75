@NullMarked
package dev.kvstore.control.database;

import org.jspecify.annotations.NullMarked;
