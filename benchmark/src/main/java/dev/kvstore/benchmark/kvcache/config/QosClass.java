package dev.kvstore.benchmark.kvcache.config;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** Classes of requests, the most urgent first. */
public enum QosClass {
    INTERACTIVE,
    RESPONSIVE,
    BATCH;

    /** The name of the class in the JSON, such as {@code interactive}. */
    @JsonValue
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
