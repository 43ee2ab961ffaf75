package dev.kvstore.benchmark.report;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The machine of a run, with the names that the JSON has. Has neither the machine's name nor its user's.
 *
 * @param processor its model, or the architecture where that is not told
 * @param processors that this process may use
 * @param memoryBytes that there are, for this process and all others
 */
public record MachineFacts(String system, String architecture, String processor, int processors, long memoryBytes) {
    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");
    private static final String MODEL = "model name";

    static MachineFacts current() {
        String architecture = System.getProperty("os.arch");
        return new MachineFacts(
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                architecture,
                model(cpuInfo(), architecture),
                Runtime.getRuntime().availableProcessors(),
                bean().getTotalMemorySize());
    }

    /** Below 0 where the system does not tell. */
    static double load() {
        return bean().getSystemLoadAverage();
    }

    static String model(List<String> cpuInfo, String otherwise) {
        return cpuInfo.stream()
                .filter(line -> line.startsWith(MODEL) && line.contains(":"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .filter(model -> !model.isEmpty())
                .findFirst()
                .orElse(otherwise);
    }

    private static List<String> cpuInfo() {
        try {
            return Files.isReadable(CPU_INFO) ? Files.readAllLines(CPU_INFO) : List.of();
        } catch (IOException e) {
            // A system that has such a file and does not let it be read tells no model.
            return List.of();
        }
    }

    private static OperatingSystemMXBean bean() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    }
}
