package dev.kvstore.benchmark.peers;

import dev.kvstore.benchmark.measure.CpuClock;
import dev.kvstore.launcher.LaunchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A program that was run to its end. No other child of this process may end meanwhile.
 *
 * @param output both its outputs
 * @param cpuSeconds processor time that it used
 */
public record ProgramRun(int exitCode, String output, double cpuSeconds) {
    private static final double SECOND = 1e9;

    /**
     * Runs it with no input; it is killed if this thread is interrupted.
     *
     * @throws LaunchException if it cannot be run
     */
    public static ProgramRun of(List<String> command) throws InterruptedException {
        try {
            Path output = Files.createTempFile("kv-bench-", ".out");
            try {
                Duration before = CpuClock.ofEndedChildren();
                int exitCode = run(command, output);
                double cpuSeconds = CpuClock.ofEndedChildren().minus(before).toNanos() / SECOND;
                return new ProgramRun(exitCode, Files.readString(output), cpuSeconds);
            } finally {
                Files.delete(output);
            }
        } catch (IOException e) {
            throw new LaunchException(command.getFirst() + " cannot be run: " + e.getMessage(), e);
        }
    }

    private static int run(List<String> command, Path output) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            process.getOutputStream().close();
            return process.waitFor();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /** Whether it ended with exit code 0. */
    public boolean succeeded() {
        return exitCode == 0;
    }

    /**
     * The same if it ended well.
     *
     * @throws LaunchException if it did not; the message has its output
     */
    public ProgramRun orThrow(String name) {
        if (!succeeded()) {
            throw new LaunchException(name + " ended with exit code " + exitCode + ": " + output.strip());
        }
        return this;
    }
}
