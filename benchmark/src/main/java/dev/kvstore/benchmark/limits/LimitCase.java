package dev.kvstore.benchmark.limits;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/**
 * One thing that is measured again and again.
 *
 * @param clients at a time; 0 where there are none
 */
record LimitCase(String what, int clients, CaseWork work) {
    /** Runs the case, and verifies its result. */
    @FunctionalInterface
    interface CaseWork {
        /**
         * Measures once.
         *
         * @param time how long
         */
        Map<Quantity, Double> measure(Duration time) throws IOException, InterruptedException;
    }

    @Override
    public String toString() {
        return switch (clients) {
            case 0 -> what;
            case 1 -> what + ", 1 client";
            default -> what + ", " + clients + " clients";
        };
    }
}
