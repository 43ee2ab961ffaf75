package dev.kvstore.launcher.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The memory and the CPU time of a process.
 *
 * @param residentBytes memory of the machine that it occupies; 0 if the system has no {@code /proc}, or if the process
 *     ended
 * @param cpu processor time that it has used so far; zero if the system does not report it
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
            // There is no /proc, or the process is gone: 0 stands for an unknown value.
            return 0;
        }
    }
}
