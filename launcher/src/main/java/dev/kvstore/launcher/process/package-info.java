/** Processes of this machine: starting, waiting, measuring, stopping. */
@NullMarked
package dev.kvstore.launcher.process;

import org.jspecify.annotations.NullMarked;
