@NullMarked
package dev.kvstore.admin.body;

import org.jspecify.annotations.NullMarked;
