@NullMarked
package dev.kvstore.dataplane.wire;

import org.jspecify.annotations.NullMarked;
