/** The process: command line, settings, what is put together. */
@NullMarked
package dev.kvstore.control.server;

import org.jspecify.annotations.NullMarked;
