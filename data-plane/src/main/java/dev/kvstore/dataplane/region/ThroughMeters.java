package dev.kvstore.dataplane.region;

import dev.kvstore.dataplane.metrics.PresenceMetrics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Meters of reading through.
 *
 * @param bytes of blocks that came from other regions
 */
record ThroughMeters(RemoteTally lookups, RemoteTally reads, Counter bytes, Fills fills) {
    /**
     * Calls by outcome.
     *
     * @param found the other region had something that is not here
     * @param nothing the other region had no more than is here
     * @param late no answer came in time
     * @param failed the answer was a failure or a damaged block
     * @param paused the other region was not asked, since it failed too often of late
     * @param busy the other region was not asked, since too many questions were under way
     */
    record RemoteTally(Counter found, Counter nothing, Counter late, Counter failed, Counter paused, Counter busy) {}

    /**
     * Blocks to be stored here by outcome.
     *
     * @param skipped too many blocks waited already
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

    private static RemoteTally tally(MeterRegistry meters, String call) {
        return new RemoteTally(
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
