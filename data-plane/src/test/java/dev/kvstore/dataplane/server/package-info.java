@NullMarked
package dev.kvstore.dataplane.server;

import org.jspecify.annotations.NullMarked;
