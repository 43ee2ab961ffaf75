@NullMarked
package dev.kvstore.dataplane.purge;

import org.jspecify.annotations.NullMarked;
