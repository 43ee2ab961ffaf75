/** Programs in Python that use the Python client: for {@code kv demo --client python} and {@code kv bench python}. */
@NullMarked
package dev.kvstore.benchmark.python;

import org.jspecify.annotations.NullMarked;
