/** The commands behind {@code kv}: the verbs that start programs, and the list of all. */
@NullMarked
package dev.kvstore.launcher.command;

import org.jspecify.annotations.NullMarked;
