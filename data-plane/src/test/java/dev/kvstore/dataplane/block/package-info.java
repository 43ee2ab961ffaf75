@NullMarked
package dev.kvstore.dataplane.block;

import org.jspecify.annotations.NullMarked;
