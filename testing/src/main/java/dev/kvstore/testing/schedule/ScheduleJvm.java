package dev.kvstore.testing.schedule;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The one JVM in which this JVM's scenarios run; it ends with this one. */
final class ScheduleJvm {
    private static @Nullable ScheduleJvm only;

    private final Process process;
    private final Writer tests;
    private final BufferedReader answers;

    private ScheduleJvm(Process process) {
        this.process = process;
        this.tests = process.outputWriter(UTF_8);
        this.answers = process.inputReader(UTF_8);
    }

    /**
     * Runs a test in the other JVM.
     *
     * @throws AssertionError if the test fails there
     */
    static synchronized void run(String className, String method) {
        try {
            ScheduleJvm jvm = only;
            if (jvm == null || !jvm.process.isAlive()) {
                jvm = start();
                only = jvm;
            }
            jvm.ask(className, method);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ScheduleJvm start() throws IOException {
        Path folder = Files.createDirectories(Path.of("target", "schedules"));
        List<String> command = new ArrayList<>(ScheduledJdk.command());
        // The options are those of this JVM, without other agents.
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> !option.startsWith("-javaagent") && !option.startsWith("-Djava.class.path"))
                .forEach(command::add);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), ScheduleWorker.class.getName()));
        return new ScheduleJvm(new ProcessBuilder(command)
                .redirectError(folder.resolve("jvm.log").toFile())
                .start());
    }

    private void ask(String className, String method) throws IOException {
        tests.write(className + " " + method + "\n");
        tests.flush();
        String answer = answers.readLine();
        while (answer != null && !answer.startsWith(ScheduleWorker.MARK)) {
            answer = answers.readLine();
        }
        if (answer == null) {
            throw new AssertionError("the JVM with schedules ended; see "
                    + Path.of("target", "schedules", "jvm.log").toAbsolutePath());
        }
        String failure = new String(Base64.getDecoder().decode(answer.substring(ScheduleWorker.MARK.length())), UTF_8);
        if (!failure.isEmpty()) {
            throw new AssertionError(failure);
        }
    }
}
