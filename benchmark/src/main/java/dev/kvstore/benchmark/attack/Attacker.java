package dev.kvstore.benchmark.attack;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.launcher.JvmOptions;
import dev.kvstore.launcher.LaunchException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The process of an attacker, as the benchmark sees it: the other end of {@link AttackerProgram}. It runs at the lowest
 * priority: an attacker has machines of its own, so on this one it gets the CPU time that nobody else wants. For one
 * thread.
 */
final class Attacker implements AutoCloseable {
    /**
     * The outcome of an attack.
     *
     * @param done requests, connections or lookups
     * @param won answers that an attacker must not get
     */
    record AttackOutcome(long done, long won) {
        AttackOutcome plus(AttackOutcome other) {
            return new AttackOutcome(done + other.done, won + other.won);
        }
    }

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> JVM = List.of("-Xmx512m", "-Dslf4j.internal.verbosity=ERROR");
    private static final List<String> LOWEST_PRIORITY = List.of("nice", "-n", "19");
    private static final int GRACE_SECONDS = 10;

    private final Process process;
    private final PrintStream orders;
    private final BufferedReader answers;
    private final Path log;

    private Attacker(Process process, Path log) {
        this.process = process;
        this.orders = new PrintStream(process.getOutputStream(), true, UTF_8);
        this.answers = process.inputReader(UTF_8);
        this.log = log;
    }

    /**
     * Starts it and waits until it is ready.
     *
     * @param attack the name of one of {@link Attacks}
     * @param log takes its error output
     */
    static Attacker start(String attack, AttackScene scene, Path log) throws IOException {
        List<String> command = new ArrayList<>(LOWEST_PRIORITY);
        command.addAll(JvmOptions.java(JVM));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), AttackerProgram.class.getName(), attack));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        Attacker attacker = new Attacker(process, log);
        try {
            String _ = attacker.ask(JSON.writeValueAsString(scene));
            return attacker;
        } catch (IOException | RuntimeException e) {
            attacker.close();
            throw e;
        }
    }

    /** Has the attack begin. */
    void begin() throws IOException {
        String _ = ask(AttackerProgram.BEGIN);
    }

    /** Ends the attack. */
    AttackOutcome end() throws IOException {
        return JSON.readValue(ask(AttackerProgram.END), AttackOutcome.class);
    }

    private String ask(String order) throws IOException {
        orders.println(order);
        String answer = answers.readLine();
        if (answer == null) {
            throw new LaunchException("the attacker's process has ended; its log: " + log);
        }
        return answer;
    }

    /** Has the process end with its input, and kills it if it does not. */
    @Override
    public void close() {
        orders.close();
        process.onExit()
                .copy()
                .completeOnTimeout(process, GRACE_SECONDS, TimeUnit.SECONDS)
                .join();
        process.destroyForcibly();
        process.onExit().join();
    }
}
