package dev.kvstore.launcher.numa;

import dev.kvstore.launcher.Program;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A data plane's binding to a node: the command line for both {@code kv node --numa-node} and {@code kv node up}.
 * Immutable.
 *
 * @param machineBytes the machine's memory, as the JVM sees it
 */
record Binding(NumaNode node, Pinning pinning, long machineBytes) {
    // A data plane keeps no blocks on the heap, and its other data need well below this.
    static final long MOST_HEAP = 16L << 30;

    // The JVM itself takes this part of a machine for its heap.
    private static final int HEAP_PART = 4;

    /** Makes the best binding that works on this machine now. */
    static Binding of(Machine machine, Topology topology, NumaNode node) {
        return of(machine, topology, node, Binding::works);
    }

    static Binding of(Machine machine, Topology topology, NumaNode node, Predicate<List<String>> works) {
        return new Binding(node, Pinning.of(topology, node, works), machine.memoryBytes());
    }

    /**
     * The flags for java. They give a share of the memory, not {@code -Xmx}, so the user's {@code -Xmx} in
     * JAVA_TOOL_OPTIONS takes precedence.
     */
    List<String> jvm() {
        long heap = Math.min(node.memoryBytes() / HEAP_PART, MOST_HEAP);
        return List.of(String.format(Locale.ROOT, "-XX:MaxRAMPercentage=%.4f", 100.0 * heap / machineBytes));
    }

    /** The flags for the data plane, beside the node's number. */
    List<String> flags() {
        return List.of("--numa-memory", Long.toString(node.memoryBytes()));
    }

    /** The whole command line. */
    List<String> command(Path jar, List<String> more) {
        List<String> command = new ArrayList<>(Program.DATA_PLANE.command(jar, jvm()));
        command.addAll(List.of(NodeCommand.FLAG, Integer.toString(node.id())));
        command.addAll(flags());
        command.addAll(more);
        return pinning.command(node, command);
    }

    /** A warning for a user who expects a better binding; null if there is none. */
    @Nullable
    String warning() {
        return switch (pinning) {
            case NUMACTL -> null;
            case TASKSET ->
                "numactl is not installed, or may not bind memory here: CPUs are bound by taskset, and memory comes from"
                        + " the same node only while it has some (docs/operations/numa.md)";
            case NONE ->
                node.cpus().isEmpty()
                        ? null
                        : "neither numactl nor taskset works here: the process is NOT bound to NUMA node " + node.id()
                                + "; install numactl";
        };
    }

    private static boolean works(List<String> command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.onExit().join().exitValue() == 0;
        } catch (IOException notInstalled) {
            return false;
        }
    }
}
