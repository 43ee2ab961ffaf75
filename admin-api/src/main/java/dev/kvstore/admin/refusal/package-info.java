/** What callers were refused: the latest of it, for admins to read. */
@NullMarked
package dev.kvstore.admin.refusal;

import org.jspecify.annotations.NullMarked;
