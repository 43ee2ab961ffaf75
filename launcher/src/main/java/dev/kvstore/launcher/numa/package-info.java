/** One data plane for each NUMA node of this machine: what nodes there are, how a process is bound to one, and kept. */
@NullMarked
package dev.kvstore.launcher.numa;

import org.jspecify.annotations.NullMarked;
