/** {@code --suite}: several runs whose flags are known beforehand, and their common result. */
@NullMarked
package dev.kvstore.benchmark.kvcache.suite;

import org.jspecify.annotations.NullMarked;
