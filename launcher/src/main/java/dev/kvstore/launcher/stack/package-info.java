/** A local stack: storage, accounts and data planes. */
@NullMarked
package dev.kvstore.launcher.stack;

import org.jspecify.annotations.NullMarked;
