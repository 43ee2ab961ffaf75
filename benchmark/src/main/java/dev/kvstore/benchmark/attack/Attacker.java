package dev.kvstore.benchmark.attack;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.benchmark.process.JsonProcess;
import dev.kvstore.launcher.JvmOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The process of an attacker. It runs at the lowest priority: an attacker has machines of its own, so on this one it
 * gets the CPU time that nobody else wants. For one thread.
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

    private static final String BEGIN = "begin";
    private static final String END = "end";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> JVM = List.of("-Xmx512m", "-Dslf4j.internal.verbosity=ERROR");
    private static final List<String> LOWEST_PRIORITY = List.of("nice", "-n", "19");

    private final JsonProcess process;

    private Attacker(JsonProcess process) {
        this.process = process;
    }

    /**
     * Starts it and waits until it is ready.
     *
     * @param attack the name of an {@link Attack}
     * @param log takes its error output
     */
    static Attacker start(String attack, AttackScene scene, Path log) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(LOWEST_PRIORITY);
        command.addAll(JvmOptions.java(JVM));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Attacker.class.getName(), attack));
        Attacker attacker = new Attacker(JsonProcess.start("the attacker", new ProcessBuilder(command), log));
        try {
            String _ = attacker.ask(scene);
            return attacker;
        } catch (IOException | InterruptedException | RuntimeException e) {
            attacker.close();
            throw e;
        }
    }

    /**
     * The attacker's own program: reads the {@link AttackScene}, then begins and ends its attack as it is told, a line
     * at a time. Ends with its input.
     *
     * @param arguments the name of the attack
     */
    public static void main(String[] arguments) throws IOException {
        Attack attack = Attack.of(arguments[0]);
        PrintStream answers = new PrintStream(System.out, true, UTF_8);
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        AttackScene scene = JSON.readValue(orders.readLine(), AttackScene.class);
        answers.println("ready");
        for (String order = orders.readLine(); order != null; order = orders.readLine()) {
            AttackLoad running = attack.start().begin(scene);
            answers.println("begun");
            String _ = orders.readLine();
            running.close();
            answers.println(JSON.writeValueAsString(new AttackOutcome(running.done(), running.won())));
        }
        System.exit(0);
    }

    /** Has the attack begin. */
    void begin() throws IOException, InterruptedException {
        String _ = ask(BEGIN);
    }

    /** Ends the attack. */
    AttackOutcome end() throws IOException, InterruptedException {
        return JSON.readValue(ask(END), AttackOutcome.class);
    }

    private String ask(Object order) throws IOException, InterruptedException {
        process.tell(order);
        return process.hear();
    }

    @Override
    public void close() {
        process.close();
    }
}
