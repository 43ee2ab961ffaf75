@NullMarked
package dev.kvstore.benchmark.affinity;

import org.jspecify.annotations.NullMarked;
