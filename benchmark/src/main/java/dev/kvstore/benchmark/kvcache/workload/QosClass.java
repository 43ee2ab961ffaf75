package dev.kvstore.benchmark.kvcache.workload;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** Classes of requests, the most urgent first. */
public enum QosClass {
    INTERACTIVE,
    RESPONSIVE,
    BATCH;

    /** The targets that hold without a config file. */
    public QosTarget usual() {
        return switch (this) {
            case INTERACTIVE -> new QosTarget(50, 100, 150, 200, 3);
            case RESPONSIVE -> new QosTarget(100, 200, 350, 500, 2);
            case BATCH -> new QosTarget(1_000, 5_000, 7_500, 10_000, 1);
        };
    }

    /** As the JSON has it. */
    @JsonValue
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
