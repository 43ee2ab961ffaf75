package dev.kvstore.launcher.numa;

import dev.kvstore.launcher.IoReason;
import dev.kvstore.launcher.LaunchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads a {@link Topology} from Linux' {@code /sys}, and from {@code /proc} the part that this process may use. */
public final class TopologyReader {
    private static final Pattern MEMORY = Pattern.compile("Node \\d+ MemTotal:\\s*(\\d+) kB");

    private final Machine machine;
    private final Path nodes;

    private TopologyReader(Machine machine) {
        this.machine = machine;
        this.nodes = machine.root().resolve("sys/devices/system/node");
    }

    /**
     * Reads the present nodes.
     *
     * @throws LaunchException if the files of the machine cannot be read, or if no node can be used
     */
    public static Topology read(Machine machine) {
        try {
            return new TopologyReader(machine).read();
        } catch (IOException e) {
            throw new LaunchException("the NUMA nodes cannot be read: " + IoReason.withFile(e), e);
        }
    }

    private Topology read() throws IOException {
        @Nullable RangeList cpusAllowed = allowed("Cpus_allowed_list");
        @Nullable RangeList memoryAllowed = allowed("Mems_allowed_list");
        @Nullable RangeList cpusOnline = list(machine.root().resolve("sys/devices/system/cpu/online"));
        @Nullable RangeList present = list(nodes.resolve("online"));
        if (present == null || present.isEmpty()) {
            NumaNode all = new NumaNode(0, RangeList.NONE, machine.memoryBytes());
            return new Topology(List.of(all), new TreeMap<>(), false, machine.memoryBytes());
        }
        List<NumaNode> usable = new ArrayList<>();
        SortedMap<Integer, String> unused = new TreeMap<>();
        for (int id : present.numbers()) {
            RangeList cpus = both(list(nodes.resolve("node" + id + "/cpulist")), cpusOnline);
            NumaNode node = new NumaNode(id, both(cpus, cpusAllowed), memory(id));
            if (cpus.isEmpty()) {
                unused.put(id, "it has no CPUs");
            } else if (node.memoryBytes() == 0) {
                unused.put(id, "it has no memory");
            } else if (node.cpus().isEmpty()) {
                unused.put(id, "this process may run on CPUs " + cpusAllowed + " only, and not on its " + cpus);
            } else if (memoryAllowed != null && !memoryAllowed.contains(id)) {
                unused.put(id, "this process may have memory of nodes " + memoryAllowed + " only");
            } else {
                usable.add(node);
            }
        }
        if (usable.isEmpty()) {
            throw new LaunchException("no NUMA node can be used: " + unused);
        }
        return new Topology(List.copyOf(usable), unused, true, machine.memoryBytes());
    }

    /**
     * The CPUs or nodes that the kernel lets this process use, by cpuset or affinity; null if the kernel does not say.
     */
    private @Nullable RangeList allowed(String field) throws IOException {
        Path status = machine.root().resolve("proc/self/status");
        if (!Files.exists(status)) {
            return null;
        }
        for (String line : Files.readAllLines(status)) {
            if (line.startsWith(field + ":")) {
                return parse(status, line.substring(field.length() + 1));
            }
        }
        return null;
    }

    private static @Nullable RangeList list(Path file) throws IOException {
        return Files.exists(file) ? parse(file, Files.readString(file)) : null;
    }

    private static RangeList parse(Path file, String text) {
        try {
            return RangeList.parse(text);
        } catch (IllegalArgumentException e) {
            throw new LaunchException("the NUMA nodes cannot be read: " + file + ": " + e.getMessage(), e);
        }
    }

    private static RangeList both(@Nullable RangeList one, @Nullable RangeList limit) {
        if (one == null) {
            return RangeList.NONE;
        }
        return limit == null ? one : one.and(limit);
    }

    private long memory(int id) throws IOException {
        Path file = nodes.resolve("node" + id + "/meminfo");
        if (!Files.exists(file)) {
            return 0;
        }
        Matcher total = MEMORY.matcher(Files.readString(file));
        return total.find() ? Long.parseLong(total.group(1)) << 10 : 0;
    }
}
