@NullMarked
package dev.kvstore.control.loop;

import org.jspecify.annotations.NullMarked;
