@NullMarked
package dev.kvstore.control.membership;

import org.jspecify.annotations.NullMarked;
