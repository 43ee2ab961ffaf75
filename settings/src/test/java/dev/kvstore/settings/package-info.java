/** Tests of names and tables. */
@NullMarked
package dev.kvstore.settings;

import org.jspecify.annotations.NullMarked;
