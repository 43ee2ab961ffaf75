package dev.kvstore.launcher.numa;

/**
 * A NUMA node that a process may run on.
 *
 * @param id the number that Linux gives it
 * @param cpus the node's CPUs that are online and that this process may use; empty if they are not known
 * @param memoryBytes bytes that a process on it may take
 */
public record NumaNode(int id, RangeList cpus, long memoryBytes) {
    NumaNode withMemory(long bytes) {
        return new NumaNode(id, cpus, bytes);
    }
}
