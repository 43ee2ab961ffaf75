package dev.kvstore.endtoend;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A data plane as {@code /proc} and {@code /sys} tell of it, in a folder: on a machine of two NUMA nodes, bound to one
 * of them, in a container of 8 GiB. Nothing is wrong with it until a test changes a file.
 */
record RecordedProcess(Path root) {
    static final long ID = 4711;

    private static final Map<String, String> FILES = Map.of(
            "proc/4711/cmdline", words("java", "-Xmx1g", "-jar", "data-plane-runner.jar", "--numa-node", "0"),
            "proc/4711/environ", words("KVSTORE_MEMORY_TIER_SIZE=2G"),
            "proc/4711/limits", "Max open files            1048576              1048576              files\n",
            "proc/4711/status", "Name:\tjava\nCpus_allowed_list:\t0-3\n",
            "proc/4711/cgroup", "0::/pod/one\n",
            "sys/fs/cgroup/pod/one/memory.max", "8589934592\n",
            "sys/fs/cgroup/pod/one/memory.events", "oom 0\noom_kill 0\n",
            "sys/devices/system/node/online", "0-1\n",
            "sys/devices/system/node/node0/cpulist", "0-3\n",
            "sys/devices/system/node/node1/cpulist", "4-7\n");

    static RecordedProcess in(Path root) throws IOException {
        RecordedProcess process = new RecordedProcess(root);
        for (Map.Entry<String, String> file : FILES.entrySet()) {
            process.with(file.getKey(), file.getValue());
        }
        return process.with("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
    }

    /** The words as Linux has them, each with a zero byte behind it. */
    static String words(String... words) {
        return Stream.of(words).map(word -> word + "\0").collect(Collectors.joining());
    }

    RecordedProcess with(String name, String content) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
        return this;
    }
}
