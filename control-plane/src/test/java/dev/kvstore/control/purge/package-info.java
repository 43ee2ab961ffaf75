@NullMarked
package dev.kvstore.control.purge;

import org.jspecify.annotations.NullMarked;
