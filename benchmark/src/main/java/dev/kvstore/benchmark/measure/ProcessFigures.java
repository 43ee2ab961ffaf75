package dev.kvstore.benchmark.measure;

import dev.kvstore.launcher.process.Usage;
import dev.kvstore.launcher.stack.StackDataPlane;
import java.time.Duration;

/**
 * A data plane's process.
 *
 * @param startMillis from its start to ready
 * @param residentBytes memory it occupies now; 0 where the system does not tell
 * @param cpuMillis processor time it has used so far; 0 where the system does not tell
 */
public record ProcessFigures(String name, double startMillis, long residentBytes, long cpuMillis) {
    public static ProcessFigures of(StackDataPlane dataPlane, Duration startTime) {
        Usage usage = dataPlane.process().usage();
        return new ProcessFigures(
                dataPlane.name(),
                startTime.toMillis(),
                usage.residentBytes(),
                usage.cpu().toMillis());
    }
}
