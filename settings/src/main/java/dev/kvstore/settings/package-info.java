/** What every program says of its settings, and the names that settings had. */
@NullMarked
package dev.kvstore.settings;

import org.jspecify.annotations.NullMarked;
