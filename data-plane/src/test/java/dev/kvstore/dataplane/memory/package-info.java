@NullMarked
package dev.kvstore.dataplane.memory;

import org.jspecify.annotations.NullMarked;
