package dev.kvstore.launcher.numa;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Map;

/**
 * Where it is read what a machine has.
 *
 * @param root the folder that holds {@code sys} and {@code proc}; {@code /}, or a recorded tree
 * @param memoryBytes of the machine, or of the container if that has a limit
 */
public record Machine(Path root, long memoryBytes) {
    /** Names another root, for tests. */
    public static final String ROOT_VARIABLE = "KV_NUMA_ROOT";

    /** This machine. */
    public static Machine current(Map<String, String> environment) {
        return new Machine(
                Path.of(environment.getOrDefault(ROOT_VARIABLE, "/")),
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize());
    }
}
