/** Processes of this machine: started, waited for, measured, stopped. */
@NullMarked
package dev.kvstore.launcher.process;

import org.jspecify.annotations.NullMarked;
