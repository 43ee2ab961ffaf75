package dev.kvstore.simulation;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The simulation in another process. A thread reads the lines of the process as it prints them. */
final class BugProcess implements AutoCloseable {
    /** A process that prints no line for so long has a history that never ends. */
    private static final int LONGEST_SECONDS = 120;

    private final Process process;

    /** The lines of the process; an empty element follows the last line. */
    private final BlockingQueue<Optional<String>> lines = new LinkedBlockingQueue<>();

    private boolean hangs;

    private BugProcess(Process process) {
        this.process = process;
        Thread.ofVirtual().start(this::read);
    }

    /** @param agent a jar; null for none */
    static BugProcess start(@Nullable Path agent, String path, List<String> words) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        if (agent != null) {
            command.add("-javaagent:" + agent);
            command.add("-XX:+AllowRedefinitionToAddDeleteMethods");
            command.add("-XX:ErrorFile=" + agent.resolveSibling("crash.log"));
        }
        command.addAll(List.of("-cp", path, Simulate.class.getName()));
        command.addAll(words);
        return new BugProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
    }

    private void read() {
        try (BufferedReader said = process.inputReader()) {
            said.lines().forEach(line -> lines.add(Optional.of(line)));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } finally {
            lines.add(Optional.empty());
        }
    }

    /** The next line; null after the last line, or if no line comes for 120 s. */
    @Nullable
    String line() throws InterruptedException {
        Optional<String> line = lines.poll(LONGEST_SECONDS, TimeUnit.SECONDS);
        hangs = line == null;
        return line == null ? null : line.orElse(null);
    }

    /** Whether the last call of {@link #line} waited in vain. */
    boolean hangs() {
        return hangs;
    }

    /**
     * Whether the process hangs or has failed. Ask after the last line: this method waits for the end of the process.
     */
    boolean hasFailed() throws InterruptedException {
        return hangs || process.waitFor() != 0;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
