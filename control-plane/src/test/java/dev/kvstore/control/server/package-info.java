@NullMarked
package dev.kvstore.control.server;

import org.jspecify.annotations.NullMarked;
