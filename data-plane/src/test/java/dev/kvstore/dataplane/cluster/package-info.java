@NullMarked
package dev.kvstore.dataplane.cluster;

import org.jspecify.annotations.NullMarked;
