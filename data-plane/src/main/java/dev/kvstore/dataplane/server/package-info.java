/** The process: command line, settings, wiring, transport. */
@NullMarked
package dev.kvstore.dataplane.server;

import org.jspecify.annotations.NullMarked;
