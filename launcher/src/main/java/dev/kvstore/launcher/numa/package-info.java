/**
 * One data plane for each NUMA node of this machine: the nodes, the binding of a process to a node, and the restarts.
 */
@NullMarked
package dev.kvstore.launcher.numa;

import org.jspecify.annotations.NullMarked;
