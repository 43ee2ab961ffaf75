@NullMarked
package dev.kvstore.benchmark.warming;

import org.jspecify.annotations.NullMarked;
