package dev.kvstore.launcher.numa;

import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The ways to bind a process to a NUMA node by the program that starts it. */
public enum Pinning {
    /** Binds CPUs and memory: the process gets no memory of other nodes. */
    NUMACTL {
        @Override
        List<String> prefix(NumaNode node) {
            return List.of("numactl", "--cpunodebind=" + node.id(), "--membind=" + node.id());
        }
    },
    /**
     * Binds CPUs. Memory follows: Linux takes it from the node of the CPU that touches it first, while that node has
     * some.
     */
    TASKSET {
        @Override
        List<String> prefix(NumaNode node) {
            return List.of("taskset", "-c", node.cpus().toString());
        }
    },
    /** Binds nothing. */
    NONE {
        @Override
        List<String> prefix(NumaNode node) {
            return List.of();
        }
    };

    /** The words before a command that make it run on this node. No word has a blank in it. */
    abstract List<String> prefix(NumaNode node);

    /**
     * The best way that works on this machine. In many containers numactl exists but may not bind memory.
     *
     * @param works runs a command and returns whether it succeeded
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
