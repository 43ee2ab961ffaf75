@NullMarked
package dev.kvstore.dataplane;

import org.jspecify.annotations.NullMarked;
