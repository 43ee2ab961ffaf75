package dev.kvstore.launcher.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The memory and the CPU time of a process.
 *
 * @param residentBytes memory of the machine it occupies; 0 where the system has no {@code /proc}, or the process ended
 * @param cpu processor time it has used so far; zero where the system does not tell
 */
public record Usage(long residentBytes, Duration cpu) {
    static Usage of(long pid) {
        Duration cpu = ProcessHandle.of(pid)
                .flatMap(handle -> handle.info().totalCpuDuration())
                .orElse(Duration.ZERO);
        return new Usage(residentBytes(Path.of("/proc", Long.toString(pid), "status")), cpu);
    }

    static long residentBytes(Path status) {
        try (var lines = Files.lines(status)) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            // No /proc, or the process is gone: nothing is known, which 0 says.
            return 0;
        }
    }
}
