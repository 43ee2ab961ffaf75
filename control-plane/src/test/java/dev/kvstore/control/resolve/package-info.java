@NullMarked
package dev.kvstore.control.resolve;

import org.jspecify.annotations.NullMarked;
