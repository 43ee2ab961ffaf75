/** {@code kv top}: what data planes do at this moment, as a table. */
@NullMarked
package dev.kvstore.launcher.top;

import org.jspecify.annotations.NullMarked;
