@NullMarked
package dev.kvstore.admin.repeat;

import org.jspecify.annotations.NullMarked;
