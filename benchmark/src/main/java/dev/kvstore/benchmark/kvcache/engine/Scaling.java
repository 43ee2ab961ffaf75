package dev.kvstore.benchmark.kvcache.engine;

import dev.kvstore.benchmark.kvcache.config.WorkloadConfig.Thresholds;
import dev.kvstore.benchmark.kvcache.engine.Autoscaler.ScaleAction;
import dev.kvstore.benchmark.kvcache.workload.Workload;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Changes how many users there are while a run goes on, by what storage was like in the last interval. As the original
 * it only writes down how many there should be: its users stay, and its figures are those of the run so far. For one
 * thread.
 */
public final class Scaling {
    private static final double MILLIS = 1e3;
    private static final double P95 = 95;
    private static final double GIBIBYTE = 1L << 30;

    private final Autoscaler scaler;
    private final Thresholds thresholds;
    private final Duration interval;
    private final Workload workload;
    private final Clock clock;
    private final boolean honest;
    private final OriginalSaturation original = new OriginalSaturation();
    private final int initialUsers;
    private final List<ScalingEvent> events = new ArrayList<>();
    private final List<ScalingPoint> timeline = new ArrayList<>();
    private long reads;
    private long writes;
    private long tokens;
    private long bytes;

    /**
     * A change.
     *
     * @param readP95Millis of the tier of storage; NaN if it is not known, as of the original's first interval
     */
    public record ScalingEvent(
            Instant at,
            ScaleAction action,
            int users,
            double saturation,
            double readP95Millis,
            double writeP95Millis,
            double throughput) {}

    /** Tokens a second in the interval that ended so many seconds after the beginning. */
    public record ScalingPoint(double seconds, double throughput) {}

    /** How the number of users changed. */
    public record Figures(Autoscaler scaler, int initialUsers, List<ScalingEvent> events, List<ScalingPoint> timeline) {
        public int finalUsers() {
            return scaler.users();
        }
    }

    /** @param workload whose users come and go; all that may come are in it */
    public Scaling(
            Autoscaler scaler,
            Thresholds thresholds,
            Duration interval,
            Workload workload,
            Clock clock,
            boolean honest) {
        this.scaler = scaler;
        this.thresholds = thresholds;
        this.interval = interval;
        this.workload = workload;
        this.clock = clock;
        this.initialUsers = scaler.users();
        this.honest = honest;
        if (honest) {
            workload.activate(scaler.users());
        }
    }

    /** How often the queue's length is to be looked at in an interval. */
    int samples() {
        return thresholds.historyWindowSize();
    }

    /** How many users there should be now. */
    int users() {
        return scaler.users();
    }

    Duration interval() {
        return interval;
    }

    /**
     * Looks at the interval that ended; whether the run is to end.
     *
     * @param queue requests that waited in it, on average
     */
    boolean sample(Ledger ledger, double queue, double elapsedSeconds) {
        Ledger.TierCounts storage = ledger.tier(Slot.STORAGE);
        double read = millis(storage.reads, honest ? reads : 0);
        double write = millis(storage.writes, honest ? writes : 0);
        double seconds = interval.toMillis() / MILLIS;
        long moved = ledger.readBytes.sum() + ledger.writtenBytes.sum();
        double throughput = honest ? (ledger.tokens.sum() - tokens) / seconds : ledger.tokens.sum() / elapsedSeconds;
        double saturation =
                honest ? saturation(read, write, queue) : original.add(read, (moved - bytes) / GIBIBYTE / seconds);
        reads = storage.reads.count();
        writes = storage.writes.count();
        tokens = ledger.tokens.sum();
        bytes = moved;
        boolean begins = timeline.isEmpty() && !honest;
        timeline.add(new ScalingPoint(elapsedSeconds, throughput));
        if (begins && scaler instanceof Autoscaler.Qos) {
            return false;
        }
        ScaleAction action = scaler.decide(saturation, throughput);
        if (action != ScaleAction.HOLD) {
            if (honest) {
                workload.activate(scaler.users());
            }
            events.add(new ScalingEvent(
                    clock.instant(),
                    action,
                    scaler.users(),
                    saturation,
                    begins ? Double.NaN : read,
                    begins ? Double.NaN : write,
                    throughput));
        }
        return action == ScaleAction.STOP;
    }

    private double saturation(double read, double write, double queue) {
        return Math.max(
                Math.max(read / thresholds.readP95Millis(), write / thresholds.writeP95Millis()),
                queue / thresholds.queueDepthThreshold());
    }

    /** 0 if nothing was read or written. */
    private static double millis(DurationSamples samples, long before) {
        double percentile = DurationSamples.percentile(samples.since(before), P95);
        return Double.isNaN(percentile) ? 0 : percentile * MILLIS;
    }

    Figures figures() {
        return new Figures(scaler, initialUsers, List.copyOf(events), List.copyOf(timeline));
    }
}
