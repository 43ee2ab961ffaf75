package dev.kvstore.endtoend;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.testing.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Control groups with the limits of a container, as a kubelet makes them. Without the right to make any there are none,
 * and a sentence says so.
 *
 * @param folders of the groups, that of the memory first; none where none could be made
 */
record PodLimits(List<String> folders) implements AutoCloseable {
    private static final Path ROOT = Path.of("/sys/fs/cgroup");
    private static final int PERIOD_MICROS = 100_000;

    static final PodLimits NONE = new PodLimits(List.of());

    /** @param limits of a manifest */
    static PodLimits of(String name, JsonNode limits) {
        List<String> folders = new ArrayList<>();
        try {
            boolean first = Files.exists(ROOT.resolve("memory/memory.limit_in_bytes"));
            long bytes = bytes(limits.path("memory").asText());
            Path memory = make(first ? ROOT.resolve("memory") : ROOT, name, folders);
            Files.writeString(memory.resolve(first ? "memory.limit_in_bytes" : "memory.max"), "" + bytes);
            if (limits.has("cpu")) {
                long quota = Long.parseLong(limits.path("cpu").asText()) * PERIOD_MICROS;
                if (first) {
                    Files.writeString(make(ROOT.resolve("cpu"), name, folders).resolve("cpu.cfs_quota_us"), "" + quota);
                } else {
                    Files.writeString(memory.resolve("cpu.max"), quota + " " + PERIOD_MICROS);
                }
            }
            return new PodLimits(List.copyOf(folders));
        } catch (IOException e) {
            System.out.println("missing: control groups that can be written; " + name + " has no limits: " + e);
            return NONE;
        }
    }

    private static Path make(Path root, String name, List<String> folders) throws IOException {
        Path folder = Files.createDirectory(root.resolve(name));
        folders.add(folder.toString());
        return folder;
    }

    private static long bytes(String quantity) {
        long number = Long.parseLong(quantity.replaceAll("\\D", ""));
        return number << (quantity.endsWith("Gi") ? 30 : 20);
    }

    /** The most bytes at once, 0 where nobody counted. */
    long peak() throws IOException {
        String said = said("memory.max_usage_in_bytes", "memory.peak");
        return said.isEmpty() ? 0 : Long.parseLong(said.strip());
    }

    /** Processes that the kernel killed for want of memory. */
    long killed() throws IOException {
        return said("memory.oom_control", "memory.events")
                .lines()
                .filter(line -> line.startsWith("oom_kill "))
                .mapToLong(line -> Long.parseLong(line.substring("oom_kill ".length())))
                .sum();
    }

    /** The file of either version of control groups. */
    private String said(String first, String second) throws IOException {
        for (String name : List.of(first, second)) {
            if (!folders.isEmpty() && Files.exists(Path.of(folders.getFirst(), name))) {
                return Files.readString(Path.of(folders.getFirst(), name));
            }
        }
        return "";
    }

    @Override
    public void close() {
        for (String folder : folders) {
            // The kernel takes a moment to see that the last process is gone.
            await().atMost(Patience.LIMIT).until(() -> Path.of(folder).toFile().delete());
        }
    }
}
