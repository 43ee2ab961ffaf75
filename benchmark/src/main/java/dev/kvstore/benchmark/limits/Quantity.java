package dev.kvstore.benchmark.limits;

import com.fasterxml.jackson.annotation.JsonValue;

/** The quantity that a figure has. */
enum Quantity {
    /** 10^9 bytes of payload a second. */
    RATE("GB/s"),
    /** Processor time of clients and servers together for 10^9 bytes of payload. */
    CPU("CPU-s/GB"),
    BLOCKS("blocks/s"),
    P50("ms (p50)"),
    P99("ms (p99)"),
    SECONDS("s"),
    /** 10^6 bytes. */
    MEMORY("MB"),
    /** Of the sweep. */
    ITERATIONS("iterations/s"),
    /** One figure over another. */
    RATIO("x");

    private final String unit;

    Quantity(String unit) {
        this.unit = unit;
    }

    @JsonValue
    @Override
    public String toString() {
        return unit;
    }
}
