@NullMarked
package dev.kvstore.benchmark.replay;

import org.jspecify.annotations.NullMarked;
