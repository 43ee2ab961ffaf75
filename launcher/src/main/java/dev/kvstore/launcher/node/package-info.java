/** Programs that run on Node.js. */
@NullMarked
package dev.kvstore.launcher.node;

import org.jspecify.annotations.NullMarked;
