/** Lists by pages, and the versions that changes expect. */
@NullMarked
package dev.kvstore.admin.page;

import org.jspecify.annotations.NullMarked;
