package dev.kvstore.benchmark.sweep;

import java.util.Locale;

/**
 * A step of the sweep.
 *
 * @param dataPlanes that are used, of all there are
 * @param clients of a closed loop; of an open one, the most that may be under way
 * @param rate of an open loop, iterations a second; 0 for a closed one
 */
record PlannedStep(int dataPlanes, int clients, double rate) {
    static final String CLOSED = "closed";
    static final String OPEN = "open";

    /** Iterations that run at a time in an open loop; further iterations that are due wait, and the time counts. */
    static final int MOST_UNDER_WAY = 256;

    static PlannedStep closed(int dataPlanes, int clients) {
        return new PlannedStep(dataPlanes, clients, 0);
    }

    static PlannedStep open(int dataPlanes, double rate) {
        return new PlannedStep(dataPlanes, MOST_UNDER_WAY, rate);
    }

    boolean isOpen() {
        return rate > 0;
    }

    String loop() {
        return isOpen() ? OPEN : CLOSED;
    }

    /** The arrangement that is compared: one data plane, or both. */
    String arrangement() {
        return arrangement(dataPlanes);
    }

    static String arrangement(int dataPlanes) {
        return switch (dataPlanes) {
            case 1 -> "single";
            case 2 -> "dual";
            default -> dataPlanes + " data planes";
        };
    }

    @Override
    public String toString() {
        String load = isOpen() ? String.format(Locale.ROOT, "%.1f iterations/s", rate) : clients + " clients";
        return loop() + " loop, " + arrangement() + ", " + load;
    }
}
