package dev.kvstore.benchmark.kvcache.workload;

import dev.kvstore.benchmark.kvcache.config.QosClass;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import java.util.ArrayList;
import java.util.List;

/**
 * A user, for a whole run.
 *
 * @param number from 0
 * @param contextTokens the longest prompt
 * @param generationTokens the longest answer
 * @param thinkSeconds between two requests, give or take a fifth
 */
public record User(int number, long contextTokens, long generationTokens, double thinkSeconds, QosClass qos) {
    private static final double LEAST_THINK = 0.8;
    private static final double MOST_THINK = 1.2;

    /**
     * Users in the proportions of the config, each by six draws or more in the order of the original. From
     * {@code new MersenneTwister(42)} they are those of the original with seed 42.
     */
    public static List<User> population(int users, WorkloadConfig config, Draws draws) {
        List<User> all = new ArrayList<>(users);
        for (int number = 0; number < users; number++) {
            WorkloadConfig.Persona persona = draws.choice(config.personas());
            QosClass qos = qos(draws.real(), config);
            long context = draws.between(
                    persona.contextRange().least(), persona.contextRange().most());
            long generation = draws.between(
                    persona.generationRange().least(), persona.generationRange().most());
            double think = draws.uniform(
                    persona.thinkTimeRange().least(), persona.thinkTimeRange().most());
            all.add(new User(number, context, generation, think, qos));
        }
        return all;
    }

    /** The class of a user, or of a request without one. */
    static QosClass qos(double drawn, WorkloadConfig config) {
        if (drawn < config.qosDistribution().interactiveProbability()) {
            return QosClass.INTERACTIVE;
        }
        return drawn < config.qosDistribution().responsiveThreshold() ? QosClass.RESPONSIVE : QosClass.BATCH;
    }

    /** Seconds to the next request. */
    double think(Draws draws) {
        return thinkSeconds * draws.uniform(LEAST_THINK, MOST_THINK);
    }

    /** The user's name in the original. */
    public String name() {
        return "user_%04d".formatted(number);
    }
}
