@NullMarked
package dev.kvstore.dataplane.tier.disk;

import org.jspecify.annotations.NullMarked;
