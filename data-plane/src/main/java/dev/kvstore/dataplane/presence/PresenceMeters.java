package dev.kvstore.dataplane.presence;

import dev.kvstore.dataplane.metrics.PresenceMetrics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/**
 * The meters of presence. Thread-safe.
 *
 * @param checks existence checks in storage
 * @param falsePositives existence checks that storage denied although a filter had said maybe
 * @param checksPerLookup existence checks that a lookup cost
 * @param filterAge age of the files by which a lookup was answered
 * @param load how long it took to learn of a partition for the first time
 */
record PresenceMeters(
        Counter checks,
        Counter falsePositives,
        Counter rebuilds,
        DistributionSummary checksPerLookup,
        Timer filterAge,
        Timer load) {
    static PresenceMeters in(MeterRegistry registry) {
        return new PresenceMeters(
                PresenceMetrics.CHECKS_MADE.counter(registry),
                PresenceMetrics.FALSE_POSITIVES.counter(registry),
                PresenceMetrics.REBUILDS.counter(registry),
                PresenceMetrics.CHECKS_PER_LOOKUP.summary(registry),
                PresenceMetrics.FILTER_AGE.timer(registry),
                PresenceMetrics.LOAD_DURATION.timer(registry));
    }
}
