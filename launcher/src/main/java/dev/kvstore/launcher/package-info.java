/** Starts, watches and stops the processes of a local stack. */
@NullMarked
package dev.kvstore.launcher;

import org.jspecify.annotations.NullMarked;
