/** How both programs declare metrics, name them and serve them. */
@NullMarked
package dev.kvstore.metrics;

import org.jspecify.annotations.NullMarked;
