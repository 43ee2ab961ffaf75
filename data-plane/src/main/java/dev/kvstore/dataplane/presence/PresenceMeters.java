package dev.kvstore.dataplane.presence;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/**
 * What presence does: {@code kvstore.presence.checks} are existence checks, {@code .false.positives} those that storage
 * denied although a filter had said "maybe". Thread-safe.
 *
 * @param checksPerLookup existence checks that a lookup cost
 * @param filterAge how old what a lookup was answered from was
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
                registry.counter("kvstore.presence.checks"),
                registry.counter("kvstore.presence.false.positives"),
                registry.counter("kvstore.presence.rebuilds"),
                registry.summary("kvstore.presence.checks.per.lookup"),
                registry.timer("kvstore.presence.filter.age"),
                registry.timer("kvstore.presence.load"));
    }
}
