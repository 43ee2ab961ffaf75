package dev.kvstore.launcher.numa;

/**
 * A NUMA node that a process may run on.
 *
 * @param id as Linux numbers it
 * @param cpus those of the node that are online and that this process may use; empty where the machine does not tell
 * @param memoryBytes what a process on it may take
 */
public record NumaNode(int id, RangeList cpus, long memoryBytes) {
    NumaNode withMemory(long bytes) {
        return new NumaNode(id, cpus, bytes);
    }
}
