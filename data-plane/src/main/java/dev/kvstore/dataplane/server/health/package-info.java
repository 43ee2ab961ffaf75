/** Health checks and meters of a process. */
@NullMarked
package dev.kvstore.dataplane.server.health;

import org.jspecify.annotations.NullMarked;
