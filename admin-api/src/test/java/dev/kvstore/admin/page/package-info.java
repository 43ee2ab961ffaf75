@NullMarked
package dev.kvstore.admin.page;

import org.jspecify.annotations.NullMarked;
