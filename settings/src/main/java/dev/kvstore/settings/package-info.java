/** The description of settings that every program gives, and the old names of settings. */
@NullMarked
package dev.kvstore.settings;

import org.jspecify.annotations.NullMarked;
