@NullMarked
package dev.kvstore.control;

import org.jspecify.annotations.NullMarked;
