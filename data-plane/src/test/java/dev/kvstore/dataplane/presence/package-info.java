@NullMarked
package dev.kvstore.dataplane.presence;

import org.jspecify.annotations.NullMarked;
