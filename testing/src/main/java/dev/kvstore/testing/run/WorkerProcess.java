package dev.kvstore.testing.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The process of a {@link Worker} of one module. One thread uses it. Closing it ends its JVM. */
final class WorkerProcess implements AutoCloseable {
    // A worker that is asked to end runs its shutdown hooks, which stop the fixtures that its tests shared.
    private static final Duration END = Duration.ofSeconds(20);
    // With more lines, the reader of events is stuck; the worker then waits for it.
    private static final int LINES = 10_000;
    private static final String END_OF_OUTPUT = "";

    private final TestModule module;
    private final Path reports;
    private final Process process;
    private final BufferedWriter units;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>(LINES);

    private WorkerProcess(TestModule module, Path reports, Process process) {
        this.module = module;
        this.reports = reports;
        this.process = process;
        this.units = process.outputWriter(UTF_8);
    }

    /**
     * Starts a JVM.
     *
     * @param log the file for standard error of the JVM itself, and of processes that tests start
     */
    static WorkerProcess start(TestModule module, TestRun run, Path log) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(run.jvmOptions());
        command.add("-cp");
        command.add(String.join(
                File.pathSeparator,
                Stream.concat(module.classPath().stream(), run.workerClassPath().stream())
                        .toList()));
        command.add(Worker.class.getName());
        command.add(run.lane().name());
        command.add(run.reports().toString());
        Process process = new ProcessBuilder(command)
                .directory(module.folder().toFile())
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        WorkerProcess worker = new WorkerProcess(module, run.reports(), process);
        Thread.ofVirtual().name("events-of-" + module.name()).start(worker::read);
        return worker;
    }

    TestModule module() {
        return module;
    }

    /**
     * Runs a unit.
     *
     * @param silence the time without an event after which the JVM is given up
     * @return the reason why the JVM cannot be used any more; empty if it can
     */
    Optional<String> run(TestUnit unit, Duration silence, Consumer<Event> events) throws InterruptedException {
        try {
            units.write(String.join(" ", unit.classes()));
            units.newLine();
            units.flush();
        } catch (IOException e) {
            return Optional.of("its JVM had ended");
        }
        while (true) {
            @Nullable String line = lines.poll(silence.toMillis(), TimeUnit.MILLISECONDS);
            if (line == null) {
                Path threads = reports.resolve(unit.classes().getFirst() + ".threads.txt");
                return Optional.of(
                        "nothing was heard for " + silence.toSeconds() + " s; " + keepThreadsThenKill(threads));
            }
            if (line.equals(END_OF_OUTPUT)) {
                return Optional.of("its JVM ended with exit code " + process.waitFor());
            }
            Optional<Event> event = Event.parse(line);
            if (event.filter(Event.UnitEnded.class::isInstance).isPresent()) {
                return Optional.empty();
            }
            event.ifPresent(events);
        }
    }

    @Override
    public void close() {
        try {
            units.close();
        } catch (IOException e) {
            // The process ended before.
        }
        try {
            if (!process.waitFor(END.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private void read() {
        try (BufferedReader out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (line.contains(Event.MARK)) {
                    lines.put(line);
                }
            }
        } catch (IOException e) {
            // The process was killed.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lines.offer(END_OF_OUTPUT);
        }
    }

    /**
     * Writes the platform threads with their locks, and then all threads, since no tool shows both; then kills the
     * process.
     *
     * @return a sentence that names the file
     */
    private String keepThreadsThenKill(Path file) throws InterruptedException {
        try {
            // The path must be absolute: the other JVM has a folder of its own.
            Path all = file.resolveSibling(file.getFileName() + ".all").toAbsolutePath();
            Files.writeString(file, answerOf("jstack", Long.toString(process.pid())));
            String dumped =
                    answerOf("jcmd", Long.toString(process.pid()), "Thread.dump_to_file", "-overwrite", "" + all);
            Files.writeString(file, Files.exists(all) ? Files.readString(all) : dumped, StandardOpenOption.APPEND);
            Files.deleteIfExists(all);
            return "its threads are in " + file;
        } catch (IOException e) {
            return "its threads could not be kept: " + e;
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private static String answerOf(String tool, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", tool).toString());
        command.addAll(List.of(arguments));
        Process dump = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (BufferedReader text = dump.inputReader(UTF_8)) {
            return String.join("\n", text.lines().toList()) + "\n";
        }
    }
}
