package dev.kvstore.benchmark.kvcache.workload;

import dev.kvstore.benchmark.kvcache.config.QosClass;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import java.util.ArrayList;
import java.util.List;

/**
 * Users in the proportions of the config. From {@code new MersenneTwister(42)} they are those of the original with seed
 * 42.
 */
public final class Population {
    private Population() {}

    /** A number of users, each by six draws or more in the order of the original. */
    public static List<User> of(int users, WorkloadConfig config, Draws draws) {
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
    public static QosClass qos(double drawn, WorkloadConfig config) {
        if (drawn < config.qosDistribution().interactiveProbability()) {
            return QosClass.INTERACTIVE;
        }
        return drawn < config.qosDistribution().responsiveThreshold() ? QosClass.RESPONSIVE : QosClass.BATCH;
    }
}
