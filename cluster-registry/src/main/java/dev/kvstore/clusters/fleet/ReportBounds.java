package dev.kvstore.clusters.fleet;

import java.time.Duration;

/**
 * Bounds of the figures that data planes report. A capacity beyond its bound is replaced by the usual value, so that a
 * wrong figure draws no work. A load beyond its bound is replaced by the bound.
 */
public final class ReportBounds {
    /** 800 Gbit/s: the fastest network card one can buy. */
    public static final long BYTES_PER_SECOND = 100_000_000_000L;

    /** Bandwidth of a data plane that reports none: 10 Gbit/s, which every machine in a cloud has. */
    public static final long USUAL_BYTES_PER_SECOND = 1_250_000_000;

    /** A thousand times the default of the data plane. */
    public static final int OPERATIONS = 100_000;

    /** Operations of a data plane that reports none: its default. */
    public static final int USUAL_OPERATIONS = 100;

    /** 1 PiB: no machine has as much, and sums over all processes still fit. */
    public static final long TIER_BYTES = 1L << 50;

    /** Linux' own limit is 8,192. */
    public static final int CPUS = 8_192;

    /** CPUs of a data plane that reports none. */
    public static final int USUAL_CPUS = 1;

    /** Open streams of one process. */
    public static final int STREAMS = 1_000_000;

    /** The longest latency that is believed: no call runs for longer. */
    public static final Duration LATENCY = Duration.ofHours(1);

    /** More than a machine can turn away. */
    public static final double REJECTED_PER_SECOND = 10_000_000;

    private ReportBounds() {}
}
