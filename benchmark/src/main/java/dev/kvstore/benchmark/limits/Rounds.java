package dev.kvstore.benchmark.limits;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Cases in turn (A B A B), so that what disturbs the machine for a while does not hit one of them alone. Before, each thing is
 * warmed up, with the most clients it has.
 */
final class Rounds {
    private Rounds() {}

    /**
     * How many steps it takes.
     *
     * @param things that are different in more than their clients
     */
    static int steps(LimitsOptions options, int things, int cases) {
        return things + cases * options.rounds();
    }

    static void run(Scene scene, List<Case> cases) throws IOException, InterruptedException {
        Map<String, Case> busiest = new LinkedHashMap<>();
        for (Case one : cases) {
            busiest.merge(one.what(), one, (had, more) -> more.clients() > had.clients() ? more : had);
        }
        scene.begin();
        for (Case one : busiest.values()) {
            scene.step("warming up: " + one);
            var _ = one.work().measure(scene.options().warmUp());
        }
        int rounds = scene.options().rounds();
        for (int round = 1; round <= rounds; round++) {
            for (Case one : cases) {
                scene.step("round " + round + " of " + rounds + ": " + one);
                new TreeMap<>(one.work().measure(scene.options().time()))
                        .forEach((quantity, value) ->
                                scene.findings().add(scene.limit(), one.what(), one.clients(), quantity, value));
            }
        }
    }
}
