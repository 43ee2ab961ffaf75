package dev.kvstore.launcher.numa;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Map;

/**
 * The source of facts about a machine.
 *
 * @param root the folder that holds {@code sys} and {@code proc}; {@code /}, or a recorded tree
 * @param memoryBytes the memory of the machine, or of the container if that has a limit
 */
public record Machine(Path root, long memoryBytes) {
    /** The variable that names another root, for tests. */
    public static final String ROOT_VARIABLE = "KV_NUMA_ROOT";

    /** This machine. */
    public static Machine current(Map<String, String> environment) {
        return new Machine(
                Path.of(environment.getOrDefault(ROOT_VARIABLE, "/")),
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize());
    }
}
