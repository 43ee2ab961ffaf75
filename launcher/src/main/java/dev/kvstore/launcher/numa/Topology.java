package dev.kvstore.launcher.numa;

import java.util.List;
import java.util.SortedMap;

/**
 * The NUMA nodes of a machine. Immutable.
 *
 * @param nodes that this process may use, ascending, at least one; each with all of its memory
 * @param unused the reasons why the other nodes are left out, by number
 * @param isTold false if the machine reports no nodes; then it counts as one node, to which no process can be bound
 * @param limitBytes the most memory that processes on all nodes may take together
 */
public record Topology(List<NumaNode> nodes, SortedMap<Integer, String> unused, boolean isTold, long limitBytes) {
    /**
     * The nodes for one process each, all running at once: if the limit is less than the memory of the nodes, as in a
     * container, each process may take its part.
     */
    public List<NumaNode> shared() {
        long sum = nodes.stream().mapToLong(NumaNode::memoryBytes).sum();
        double part = Math.min(1.0, (double) limitBytes / sum);
        return nodes.stream()
                .map(node -> node.withMemory((long) (node.memoryBytes() * part)))
                .toList();
    }

    /**
     * The node with this number, for the only process in this machine or container.
     *
     * @throws IllegalArgumentException if there is none, or if it cannot be used; the message names the nodes
     */
    public NumaNode alone(int id) {
        return nodes.stream()
                .filter(node -> node.id() == id)
                .map(node -> node.withMemory(Math.min(node.memoryBytes(), limitBytes)))
                .findAny()
                .orElseThrow(() -> new IllegalArgumentException(
                        unused.containsKey(id) ? "node " + id + " cannot be used: " + unused.get(id) : absent(id)));
    }

    private String absent(int id) {
        RangeList usable = new RangeList(nodes.stream().map(NumaNode::id).toList());
        return "there is no node " + id + "; this machine has NUMA node" + (nodes.size() > 1 ? "s " : " ") + usable
                + (unused.isEmpty() ? "" : " to run on");
    }
}
