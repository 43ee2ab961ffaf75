package dev.kvstore.launcher.numa;

import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** How a process is bound to a NUMA node: by the program that starts it. */
public enum Pinning {
    /** CPUs and memory: what the node has not, the process does not get. */
    NUMACTL {
        @Override
        List<String> prefix(NumaNode node) {
            return List.of("numactl", "--cpunodebind=" + node.id(), "--membind=" + node.id());
        }
    },
    /** CPUs. Memory follows: Linux takes it from the node of the CPU that touches it first, while that has some. */
    TASKSET {
        @Override
        List<String> prefix(NumaNode node) {
            return List.of("taskset", "-c", node.cpus().toString());
        }
    },
    /** No binding. */
    NONE {
        @Override
        List<String> prefix(NumaNode node) {
            return List.of();
        }
    };

    /** The words before a command that make it run on this node. No word has a blank in it. */
    abstract List<String> prefix(NumaNode node);

    /**
     * The best way that works here: numactl may be there and not be allowed to bind memory, as in many containers.
     *
     * @param works runs a command and says whether it ended well
     */
    static Pinning of(Topology topology, NumaNode node, Predicate<List<String>> works) {
        if (!topology.isTold()) {
            return NONE;
        }
        for (Pinning way : List.of(NUMACTL, TASKSET)) {
            if (works.test(way.command(node, List.of("true")))) {
                return way;
            }
        }
        return NONE;
    }

    /** A command that runs another on this node. */
    List<String> command(NumaNode node, List<String> command) {
        return Stream.concat(prefix(node).stream(), command.stream()).toList();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
