/**
 * The change log: author, time, and the values before and after of every change. Data planes follow it, and admins read
 * it.
 */
@NullMarked
package dev.kvstore.admin.change;

import org.jspecify.annotations.NullMarked;
