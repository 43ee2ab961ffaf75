@NullMarked
package dev.kvstore.admin.change;

import org.jspecify.annotations.NullMarked;
