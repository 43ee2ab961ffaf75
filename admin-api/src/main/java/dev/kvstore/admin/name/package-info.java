/** The rules for names. */
@NullMarked
package dev.kvstore.admin.name;

import org.jspecify.annotations.NullMarked;
