package dev.kvstore.doctor.process;

import dev.kvstore.doctor.finding.Check;
import dev.kvstore.doctor.finding.CheckOutcome;
import dev.kvstore.doctor.finding.FindingKind;
import dev.kvstore.launcher.numa.RangeList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Whether a data plane runs on the CPUs of one NUMA node, and of the one that it was told. */
record BoundNodeCheck(LocalProcess process) implements Check {
    @Override
    public String subject() {
        return process.subject();
    }

    @Override
    public CheckOutcome look() throws IOException {
        SortedMap<Integer, RangeList> nodes = nodes();
        Optional<String> told = process.flag("--numa-node");
        RangeList allowed =
                RangeList.parse(process.line("status", "Cpus_allowed_list:").orElse(""));
        if (nodes.size() < 2 || allowed.isEmpty()) {
            return CheckOutcome.SOUND;
        }
        if (told.isEmpty()) {
            return nodes.values().stream().anyMatch(cpus -> cpus.and(allowed).equals(allowed))
                    ? CheckOutcome.SOUND
                    : CheckOutcome.faulty(
                            FindingKind.NUMA_UNBOUND,
                            subject(),
                            "runs on CPUs " + allowed + ", which are of several of the NUMA nodes " + nodes.keySet());
        }
        RangeList cpus = nodes.getOrDefault(Integer.parseInt(told.get()), RangeList.NONE);
        return cpus.and(allowed).equals(allowed)
                ? CheckOutcome.SOUND
                : CheckOutcome.faulty(
                        FindingKind.NUMA_MISMATCH,
                        subject(),
                        "is to run on NUMA node %s, whose CPUs are %s, and may run on %s"
                                .formatted(told.get(), cpus, allowed));
    }

    /** The CPUs of each node that has some. */
    private SortedMap<Integer, RangeList> nodes() throws IOException {
        Path folder = process.root().resolve("sys/devices/system/node");
        SortedMap<Integer, RangeList> nodes = new TreeMap<>();
        if (Files.exists(folder.resolve("online"))) {
            for (int node :
                    RangeList.parse(Files.readString(folder.resolve("online"))).numbers()) {
                Path cpus = folder.resolve("node" + node + "/cpulist");
                RangeList list = Files.exists(cpus) ? RangeList.parse(Files.readString(cpus)) : RangeList.NONE;
                if (!list.isEmpty()) {
                    nodes.put(node, list);
                }
            }
        }
        return nodes;
    }
}
