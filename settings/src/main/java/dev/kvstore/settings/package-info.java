/** The descriptions of settings that every program prints, and the old names of settings. */
@NullMarked
package dev.kvstore.settings;

import org.jspecify.annotations.NullMarked;
