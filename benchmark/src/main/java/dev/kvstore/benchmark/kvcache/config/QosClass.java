package dev.kvstore.benchmark.kvcache.config;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** Classes of requests, the most urgent first. */
public enum QosClass {
    INTERACTIVE,
    RESPONSIVE,
    BATCH;

    /** As the JSON has it. */
    @JsonValue
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
