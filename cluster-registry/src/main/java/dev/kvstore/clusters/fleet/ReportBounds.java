package dev.kvstore.clusters.fleet;

import java.time.Duration;

/**
 * Bounds of the figures that data planes report. A capacity beyond its bound is replaced by the usual value, so that a
 * wrong figure draws no work. A load beyond its bound is replaced by the bound.
 */
public final class ReportBounds {
    /** The most bytes per second: 800 Gbit/s, the fastest network card on sale. */
    public static final long BYTES_PER_SECOND = 100_000_000_000L;

    /** Bandwidth of a data plane that reports none: 10 Gbit/s, which every machine in a cloud has. */
    public static final long USUAL_BYTES_PER_SECOND = 1_250_000_000;

    /** The most operations: a thousand times the default of the data plane. */
    public static final int OPERATIONS = 100_000;

    /** Operations of a data plane that reports none: its default. */
    public static final int USUAL_OPERATIONS = 100;

    /** The most bytes of a tier: 1 PiB. No machine has as much, and sums over all processes still fit. */
    public static final long TIER_BYTES = 1L << 50;

    /** The most CPUs: Linux' own limit. */
    public static final int CPUS = 8_192;

    /** CPUs of a data plane that reports none. */
    public static final int USUAL_CPUS = 1;

    /** The most open streams of one process. */
    public static final int STREAMS = 1_000_000;

    /** The longest latency that is accepted: no call runs for longer. */
    public static final Duration LATENCY = Duration.ofHours(1);

    /** The most refused calls per second: more than a machine can refuse. */
    public static final double REJECTED_PER_SECOND = 10_000_000;

    private ReportBounds() {}
}
