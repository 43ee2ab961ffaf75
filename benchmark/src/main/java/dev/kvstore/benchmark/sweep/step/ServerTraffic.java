package dev.kvstore.benchmark.sweep.step;

import dev.kvstore.benchmark.measure.DataPlaneUse;
import org.jspecify.annotations.Nullable;

/**
 * The traffic of the data planes in Gbit/s (10^9 bits), with the names that the JSON has: the blocks from and to clients,
 * and the bytes from and to storage by the data planes' own counters, both without what protocols add. Null is what
 * cannot be seen.
 *
 * @param in from clients and storage
 * @param out to clients and storage
 */
public record ServerTraffic(
        double fromClients,
        double toClients,
        @Nullable Double fromStorage,
        @Nullable Double toStorage,
        @Nullable Double in,
        @Nullable Double out,
        @Nullable Double total) {
    private static final double BYTES = 1e9 / 8;

    /**
     * The traffic of some seconds.
     *
     * @param read bytes by clients
     * @param written bytes by clients
     */
    public static ServerTraffic of(double read, double written, @Nullable DataPlaneUse used, double seconds) {
        double second = BYTES * seconds;
        double in = written / second;
        double out = read / second;
        if (used == null) {
            return new ServerTraffic(in, out, null, null, null, null, null);
        }
        double fromStorage = used.sum(DataPlaneUse.STORAGE_BYTES, "read") / second;
        double toStorage = used.sum(DataPlaneUse.STORAGE_BYTES, "written") / second;
        double allIn = in + fromStorage;
        double allOut = out + toStorage;
        return new ServerTraffic(in, out, fromStorage, toStorage, allIn, allOut, allIn + allOut);
    }

    /** The traffic in; of clients alone where storage's side cannot be seen. */
    public double seenIn() {
        return in == null ? fromClients : in;
    }

    /** The traffic out; of clients alone where storage's side cannot be seen. */
    public double seenOut() {
        return out == null ? toClients : out;
    }

    /** The share of network cards that the traffic takes; null if nobody named one, or a side cannot be seen. */
    @Nullable
    CardUse ofCard(@Nullable Double cardGigabits) {
        return cardGigabits == null || total == null
                ? null
                : CardUse.of(Math.max(seenIn(), seenOut()) / cardGigabits * 100);
    }

    /**
     * The use of a network card.
     *
     * @param percent of its rate that the busier direction takes: a card carries its rate in each direction at a time
     */
    public record CardUse(double percent, String status) {
        private static final double NEAR = 80;
        private static final double SATURATED = 95;

        private static CardUse of(double percent) {
            return new CardUse(percent, percent < NEAR ? "fine" : percent < SATURATED ? "near the limit" : "saturated");
        }
    }
}
