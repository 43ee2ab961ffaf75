package dev.kvstore.endtoend;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A machine of two NUMA nodes, as {@code kv} reads it: node 0 is CPU 0, node 1 is CPU 1. */
final class NumaTree {
    /** The memory of each node. */
    static final long MEMORY_BYTES = 1_300L << 20;

    private NumaTree() {}

    /**
     * Writes it into a folder, and returns the environment in which {@code kv} takes it for this machine. numactl,
     * which knows the real nodes, answers there that it may not bind.
     */
    static Map<String, String> environment(Path folder) throws IOException {
        write(folder.resolve("sys/devices/system/node/online"), "0-1\n");
        for (int id : List.of(0, 1)) {
            Path node = folder.resolve("sys/devices/system/node/node" + id);
            write(node.resolve("cpulist"), id + "\n");
            write(node.resolve("meminfo"), "Node " + id + " MemTotal:   " + (MEMORY_BYTES >> 10) + " kB\n");
        }
        Path numactl = folder.resolve("bin/numactl");
        write(numactl, "#!/bin/sh\nexit 1\n");
        if (!numactl.toFile().setExecutable(true)) {
            throw new IOException(numactl + " cannot be made a program");
        }
        Map<String, String> environment = new HashMap<>();
        environment.put("KV_NUMA_ROOT", folder.toString());
        environment.put("PATH", folder.resolve("bin") + ":" + System.getenv("PATH"));
        environment.put("KVSTORE_TRANSFER_MEMORY", "130M");
        environment.put("KVSTORE_INBOUND_MEMORY", "65M");
        environment.put("KVSTORE_UNREAD_RESPONSE_MEMORY", "16M");
        return environment;
    }

    /** The CPUs that a process may run on, as the kernel says. */
    static String cpusAllowed(long pid) throws IOException {
        String field = "Cpus_allowed_list:";
        return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
                .filter(line -> line.startsWith(field))
                .map(line -> line.substring(field.length()).strip())
                .findAny()
                .orElseThrow();
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
