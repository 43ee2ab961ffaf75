package dev.kvstore.benchmark.attack;

import java.io.IOException;
import java.util.random.RandomGenerator;

/**
 * One way to hurt others.
 *
 * @param name of the attack, for {@code --only}
 * @param text what the attacker does
 * @param target which program an honest client calls meanwhile
 */
record Attack(String name, String text, Target target, Beginning beginning) {
    /** The program under attack. */
    enum Target {
        DATA_PLANE,
        CONTROL_PLANE
    }

    /** How an attack begins. */
    @FunctionalInterface
    interface Beginning {
        /**
         * Begins, and goes on until it is closed.
         *
         * @param random thread-safe
         */
        Running begin(Scene scene, RandomGenerator random) throws IOException, InterruptedException;
    }

    /** An attack that goes on. */
    interface Running extends AutoCloseable {
        /** Requests, connections or lookups of the attacker so far. */
        long done();

        /** Answers that the attacker must not get, so far. */
        default long won() {
            return 0;
        }

        /** Ends it. */
        @Override
        void close();
    }
}
