/** Lists, a page at a time, and what a change was made on. */
@NullMarked
package dev.kvstore.admin.page;

import org.jspecify.annotations.NullMarked;
