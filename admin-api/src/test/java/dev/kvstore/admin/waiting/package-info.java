@NullMarked
package dev.kvstore.admin.waiting;

import org.jspecify.annotations.NullMarked;
