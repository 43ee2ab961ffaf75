package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvstore.launcher.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The script {@code kv} as a child process, with what this build has built. */
final class Kv {
    /** The outcome of a command. */
    record KvResult(int exitCode, String out, String err) {}

    private static final long PATIENCE_SECONDS = 300;

    private Kv() {}

    /** Runs it to its end, in this folder, which takes its outputs. */
    static KvResult run(Path folder, Map<String, String> environment, List<String> arguments)
            throws IOException, InterruptedException {
        return run(folder, environment, arguments, PATIENCE_SECONDS);
    }

    /** Runs a command that takes its time. */
    static KvResult run(Path folder, Map<String, String> environment, List<String> arguments, long patienceSeconds)
            throws IOException, InterruptedException {
        Path out = Files.createTempFile(folder, "kv", ".out");
        Path err = Files.createTempFile(folder, "kv", ".err");
        Process process = start(folder, environment, arguments, out, err);
        try {
            if (!process.waitFor(patienceSeconds, TimeUnit.SECONDS)) {
                throw new AssertionError("kv " + String.join(" ", arguments) + " did not end within " + patienceSeconds
                        + " s; it said:\n" + Files.readString(err));
            }
            return new KvResult(process.exitValue(), Files.readString(out), Files.readString(err));
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /** Whether it is time, by all that was said on standard error. */
    @FunctionalInterface
    interface OutputMoment {
        boolean hasCome(String said) throws IOException;
    }

    /** Something that is done to a process while it runs. */
    @FunctionalInterface
    interface KvAction {
        void to(Process process) throws IOException;
    }

    /** Runs it, does something once it is time, and waits for its end. */
    static KvResult run(Path folder, List<String> arguments, OutputMoment moment, KvAction deed, long patienceSeconds)
            throws IOException, InterruptedException {
        Path out = Files.createTempFile(folder, "kv", ".out");
        Path err = Files.createTempFile(folder, "kv", ".err");
        Process process = start(folder, Map.of(), arguments, out, err);
        try {
            await().atMost(Duration.ofSeconds(patienceSeconds))
                    .until(() -> moment.hasCome(Files.readString(err)) || !process.isAlive());
            deed.to(process);
            assertThat(process.waitFor(patienceSeconds, TimeUnit.SECONDS)).isTrue();
            return new KvResult(process.exitValue(), Files.readString(out), Files.readString(err));
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    static Process start(Path folder, Map<String, String> environment, List<String> arguments, Path out, Path err)
            throws IOException {
        String script = Home.current().path().resolve("kv").toString();
        ProcessBuilder builder = new ProcessBuilder(
                        Stream.concat(Stream.of(script), arguments.stream()).toList())
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        // A build inside the build would wait for itself.
        builder.environment().put("KV_SKIP_BUILD", "1");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        return process;
    }
}
