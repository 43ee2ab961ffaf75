@NullMarked
package dev.kvstore.clusters;

import org.jspecify.annotations.NullMarked;
