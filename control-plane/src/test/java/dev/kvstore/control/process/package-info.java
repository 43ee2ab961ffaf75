@NullMarked
package dev.kvstore.control.process;

import org.jspecify.annotations.NullMarked;
