@NullMarked
package dev.kvstore.admin;

import org.jspecify.annotations.NullMarked;
