package dev.kvstore.benchmark.attack;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.security.SecureRandom;

/**
 * The program of an attacker: reads the {@link AttackScene}, then begins and ends its attack as it is told, a line at a
 * time. Ends with its input.
 */
final class AttackerProgram {
    static final String BEGIN = "begin";
    static final String END = "end";

    private AttackerProgram() {}

    /** @param arguments the name of the attack */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Attack attack = Attacks.of(arguments[0]);
        PrintStream answers = new PrintStream(System.out, true, UTF_8);
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        ObjectMapper json = new ObjectMapper();
        AttackScene scene = json.readValue(orders.readLine(), AttackScene.class);
        answers.println("ready");
        Attack.RunningAttack running = null;
        for (String order = orders.readLine(); order != null; order = orders.readLine()) {
            if (order.equals(BEGIN)) {
                running = attack.beginning().begin(scene, new SecureRandom());
                answers.println("begun");
            } else if (running != null) {
                running.close();
                answers.println(json.writeValueAsString(new Attacker.AttackOutcome(running.done(), running.won())));
                running = null;
            }
        }
        System.exit(0);
    }
}
