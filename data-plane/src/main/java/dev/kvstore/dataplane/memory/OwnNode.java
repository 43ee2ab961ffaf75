package dev.kvstore.dataplane.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The NUMA node of this process, if the machine has several and all CPUs that the process may use belong to one. That
 * is so in a pod to which a kubelet gave the cores of one node, and under taskset. Such a process binds its memory to
 * the node as well, if the system allows it and the node has at least as much memory as the process may take, since the
 * kubelet may not have bound it (AKS cannot set its memory manager).
 *
 * @param number 0 to 63
 * @param memoryBytes of the node
 */
public record OwnNode(int number, long memoryBytes) {
    private static final Pattern MEMORY = Pattern.compile("MemTotal:\\s*(\\d{1,12}) kB");
    private static final Pattern RANGE = Pattern.compile("(\\d{1,5})(?:-(\\d{1,5}))?");

    /** Nodes that fit the mask of a {@link MemoryPolicy}. */
    private static final int MOST_NODES = Long.SIZE;

    /**
     * Binds the memory of this thread, and of each thread that it starts later, to the node, if there is one. Call this
     * before other threads are started.
     *
     * @param limitBytes most memory that the process may take
     * @return a sentence for the log; empty if there is nothing to bind
     */
    public static Optional<String> bind(long limitBytes) {
        // Most machines have one node: then no native call delays the start.
        return find(Path.of("/"))
                .flatMap(node -> MemoryPolicy.ofThisSystem()
                        .filter(policy -> policy.current().orElse(MemoryPolicy.BIND) == MemoryPolicy.DEFAULT)
                        .map(policy -> node.bind(policy, limitBytes)));
    }

    private String bind(MemoryPolicy policy, long limitBytes) {
        String node = "all CPUs of this process are of NUMA node " + number + "; its memory ";
        if (memoryBytes < limitBytes) {
            return node + "is not bound to that node, which has " + (memoryBytes >> 20) + " MiB, less than the "
                    + (limitBytes >> 20) + " MiB that the process may take";
        }
        return policy.bind(number)
                ? node + "comes from there alone"
                : node
                        + "cannot be bound: the system does not allow set_mempolicy (CAP_SYS_NICE, or a seccomp profile)";
    }

    /**
     * The node of this process, as the system describes it.
     *
     * @param root of the file system
     */
    static Optional<OwnNode> find(Path root) {
        try {
            Path nodes = root.resolve("sys/devices/system/node");
            String status = Files.readString(root.resolve("proc/self/status"));
            BitSet cpus = list(field(status, "Cpus_allowed_list"));
            BitSet memory = list(field(status, "Mems_allowed_list"));
            BitSet online = list(Files.readString(nodes.resolve("online")));
            if (cpus.isEmpty() || memory.cardinality() < 2 || online.length() > MOST_NODES) {
                return Optional.empty();
            }
            for (int node = online.nextSetBit(0); node >= 0; node = online.nextSetBit(node + 1)) {
                BitSet others = (BitSet) cpus.clone();
                others.andNot(list(Files.readString(nodes.resolve("node" + node + "/cpulist"))));
                if (others.isEmpty() && memory.get(node)) {
                    return Optional.of(new OwnNode(node, memory(nodes.resolve("node" + node + "/meminfo"))));
                }
            }
            return Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            // A system that tells of no nodes has none.
            return Optional.empty();
        }
    }

    private static String field(String status, String name) {
        return status.lines()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1))
                .findFirst()
                .orElse("");
    }

    /** Numbers as Linux writes them: {@code 0-3,8}. */
    private static BitSet list(String text) {
        BitSet numbers = new BitSet();
        for (String part : text.strip().split(",", -1)) {
            Matcher range = RANGE.matcher(part);
            if (range.matches()) {
                int first = Integer.parseInt(range.group(1));
                numbers.set(
                        first, 1 + Math.max(first, range.group(2) == null ? first : Integer.parseInt(range.group(2))));
            }
        }
        return numbers;
    }

    private static long memory(Path meminfo) throws IOException {
        Matcher total = MEMORY.matcher(Files.readString(meminfo));
        return total.find() ? Long.parseLong(total.group(1)) << 10 : 0;
    }
}
