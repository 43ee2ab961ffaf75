package dev.kvstore.benchmark.kvcache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The memory of this machine. */
final class MachineMemory {
    private static final Path FIGURES = Path.of("/proc/meminfo");
    private static final String AVAILABLE = "MemAvailable:";
    private static final long KIBIBYTE = 1_024;

    private MachineMemory() {}

    /** Bytes that programs can still have; as many as a long has where the system does not say. */
    static long availableBytes() {
        try {
            for (String line : Files.readAllLines(FIGURES)) {
                if (line.startsWith(AVAILABLE)) {
                    String number =
                            line.substring(AVAILABLE.length()).replace("kB", "").strip();
                    return Long.parseLong(number) * KIBIBYTE;
                }
            }
        } catch (IOException e) {
            // The system has no such file.
        }
        return Long.MAX_VALUE;
    }
}
