@NullMarked
package dev.kvstore.control.heat;

import org.jspecify.annotations.NullMarked;
