package dev.kvstore.benchmark.kvcache.workload;

import java.util.List;

/**
 * A kind of user; the ranges include both ends.
 *
 * @param leastContext tokens
 * @param leastGeneration tokens
 * @param leastThink seconds between requests
 */
public record Persona(
        String name,
        long leastContext,
        long mostContext,
        long leastGeneration,
        long mostGeneration,
        double leastThink,
        double mostThink) {
    /** The personas of the original, in the order from which it draws. */
    public static final List<Persona> USUAL = List.of(
            new Persona("chatbot", 512, 4_096, 50, 200, 0.1, 0.5),
            new Persona("coding", 4_096, 25_000, 100, 500, 0.2, 1.0),
            new Persona("document", 4_096, 16_384, 200, 800, 0.3, 1.5));
}
