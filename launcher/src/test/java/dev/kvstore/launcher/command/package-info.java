/** Tests of the commands behind {@code kv}. */
@NullMarked
package dev.kvstore.launcher.command;

import org.jspecify.annotations.NullMarked;
