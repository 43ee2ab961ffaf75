/** Simulates the distance between regions that are all on this machine. */
@NullMarked
package dev.kvstore.launcher.link;

import org.jspecify.annotations.NullMarked;
