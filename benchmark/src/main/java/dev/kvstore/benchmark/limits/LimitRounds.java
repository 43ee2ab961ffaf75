package dev.kvstore.benchmark.limits;

import java.io.IOException;
import java.util.List;
import java.util.TreeMap;

/**
 * Cases in turn (A B A B), so that what disturbs the machine for a while does not hit one of them alone; each is warmed
 * up before. For one thread.
 */
final class LimitRounds {
    private LimitRounds() {}

    /** How many steps it takes. */
    static int steps(LimitsOptions options, int cases) {
        return cases * (1 + options.rounds());
    }

    static void run(LimitScene scene, List<LimitCase> cases) throws IOException, InterruptedException {
        scene.begin();
        for (LimitCase one : cases) {
            scene.step("warming up: " + one);
            var _ = one.work().measure(scene.options().warmUp());
        }
        int rounds = scene.options().rounds();
        for (int round = 1; round <= rounds; round++) {
            for (LimitCase one : cases) {
                scene.step("round " + round + " of " + rounds + ": " + one);
                // In the order of quantities.
                new TreeMap<>(one.work().measure(scene.options().time()))
                        .forEach((quantity, value) ->
                                scene.findings().add(scene.limit(), one.what(), one.clients(), quantity, value));
            }
        }
    }
}
