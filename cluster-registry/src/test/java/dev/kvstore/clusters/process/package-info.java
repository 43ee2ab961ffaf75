@NullMarked
package dev.kvstore.clusters.process;

import org.jspecify.annotations.NullMarked;
