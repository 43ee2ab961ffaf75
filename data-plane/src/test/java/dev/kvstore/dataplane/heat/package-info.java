@NullMarked
package dev.kvstore.dataplane.heat;

import org.jspecify.annotations.NullMarked;
