@NullMarked
package dev.kvstore.protocol;

import org.jspecify.annotations.NullMarked;
