/** {@code --suite}: several runs whose flags are known beforehand, and what they say together. */
@NullMarked
package dev.kvstore.benchmark.kvcache.suite;

import org.jspecify.annotations.NullMarked;
