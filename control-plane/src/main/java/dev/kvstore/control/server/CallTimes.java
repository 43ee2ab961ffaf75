package dev.kvstore.control.server;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/** Makes gRPC's timers count calls by their duration, so that percentiles can be computed. Stateless. */
final class CallTimes implements MeterFilter {
    private static final String METER = "grpc.server.processing.duration";

    /** The bounds of the counts: a quarter of a millisecond to a second, in steps about the promised times. */
    private static final double[] BOUNDS_NANOS = LongStream.of(
                    250, 500, 750, 1_000, 1_500, 2_000, 3_000, 5_000, 10_000, 20_000, 50_000, 100_000, 1_000_000)
            .mapToDouble(micros -> TimeUnit.MICROSECONDS.toNanos(micros))
            .toArray();

    @Override
    public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
        return id.getName().equals(METER)
                ? DistributionStatisticConfig.builder()
                        .serviceLevelObjectives(BOUNDS_NANOS)
                        .build()
                        .merge(config)
                : config;
    }
}
