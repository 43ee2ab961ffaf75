package dev.kvstore.benchmark.sweep.step;

import dev.kvstore.benchmark.report.Numbers;

/**
 * A step of the sweep.
 *
 * @param dataPlanes that are used, of all there are
 * @param clients of all processes together: those of a closed loop; of an open one, the most that may be under way
 * @param rate of an open loop, iterations a second of all processes together; 0 for a closed one
 */
public record PlannedStep(int dataPlanes, int clients, double rate) {
    public static final String CLOSED = "closed";
    public static final String OPEN = "open";

    /** Iterations that run at a time in an open loop; further iterations that are due wait, and the time counts. */
    static final int MOST_UNDER_WAY = 256;

    public static PlannedStep closed(int dataPlanes, int clients) {
        return new PlannedStep(dataPlanes, clients, 0);
    }

    public static PlannedStep open(int dataPlanes, double rate) {
        return new PlannedStep(dataPlanes, MOST_UNDER_WAY, rate);
    }

    /** Whether it is of an open loop. */
    public boolean hasRate() {
        return rate > 0;
    }

    public String loop() {
        return hasRate() ? OPEN : CLOSED;
    }

    /** The arrangement that is compared: one data plane, or both. */
    public String arrangement() {
        return dataPlanes == 1 ? "single" : "dual";
    }

    @Override
    public String toString() {
        String load = hasRate() ? Numbers.format("%.1f iterations/s", rate) : clients + " clients";
        return loop() + " loop, " + arrangement() + ", " + load;
    }
}
