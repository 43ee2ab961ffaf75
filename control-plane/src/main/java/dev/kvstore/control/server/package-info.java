/** The process: command line, settings, wiring. */
@NullMarked
package dev.kvstore.control.server;

import org.jspecify.annotations.NullMarked;
