package dev.kvstore.dataplane.region;

import dev.kvstore.dataplane.metrics.PresenceMetrics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * What is counted of reading through.
 *
 * @param bytes of blocks that came from other regions
 */
record ThroughMeters(Tally lookups, Tally reads, Counter bytes, Fills fills) {
    /**
     * What became of calls.
     *
     * @param found it had what is not here
     * @param nothing it had no more than is here
     * @param late it did not answer in time
     * @param failed it answered with a failure, or with what is damaged
     * @param paused it was not asked, since that happened too often of late
     * @param busy it was not asked, since too many questions were under way
     */
    record Tally(Counter found, Counter nothing, Counter late, Counter failed, Counter paused, Counter busy) {}

    /**
     * What became of blocks that were to be stored here.
     *
     * @param skipped too many waited for that already
     */
    record Fills(Counter stored, Counter present, Counter failed, Counter skipped) {}

    static ThroughMeters in(MeterRegistry meters) {
        return new ThroughMeters(
                tally(meters, "lookup"),
                tally(meters, "read"),
                PresenceMetrics.READ_THROUGH_BYTES.counter(meters),
                new Fills(
                        fill(meters, "stored"),
                        fill(meters, "present"),
                        fill(meters, "failed"),
                        fill(meters, "skipped")));
    }

    private static Tally tally(MeterRegistry meters, String call) {
        return new Tally(
                asked(meters, call, "found"),
                asked(meters, call, "nothing"),
                asked(meters, call, "late"),
                asked(meters, call, "failed"),
                asked(meters, call, "paused"),
                asked(meters, call, "busy"));
    }

    private static Counter asked(MeterRegistry meters, String call, String outcome) {
        return PresenceMetrics.READ_THROUGH_CALLS.counter(meters, call, outcome);
    }

    private static Counter fill(MeterRegistry meters, String outcome) {
        return PresenceMetrics.READ_THROUGH_FILLS.counter(meters, outcome);
    }
}
