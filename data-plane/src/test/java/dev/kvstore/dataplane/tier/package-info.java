@NullMarked
package dev.kvstore.dataplane.tier;

import org.jspecify.annotations.NullMarked;
