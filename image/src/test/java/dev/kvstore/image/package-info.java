@NullMarked
package dev.kvstore.image;

import org.jspecify.annotations.NullMarked;
