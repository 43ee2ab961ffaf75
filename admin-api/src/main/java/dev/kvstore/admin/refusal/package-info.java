/** The latest refusals, for admins to read. */
@NullMarked
package dev.kvstore.admin.refusal;

import org.jspecify.annotations.NullMarked;
