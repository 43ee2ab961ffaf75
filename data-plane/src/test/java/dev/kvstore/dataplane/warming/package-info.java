@NullMarked
package dev.kvstore.dataplane.warming;

import org.jspecify.annotations.NullMarked;
