@NullMarked
package dev.kvstore.dataplane.region;

import org.jspecify.annotations.NullMarked;
