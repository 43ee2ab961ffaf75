package dev.kvstore.benchmark.kvcache.workload;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** Classes of requests, the most urgent first. */
public enum QosClass {
    INTERACTIVE(50, 3),
    RESPONSIVE(100, 2),
    BATCH(1_000, 1);

    private final double targetMillis;
    private final int priority;

    QosClass(double targetMillis, int priority) {
        this.targetMillis = targetMillis;
        this.priority = priority;
    }

    /** The target that holds without a config file. */
    public QosTarget usual() {
        return new QosTarget(targetMillis, priority);
    }

    /** As the JSON has it. */
    @JsonValue
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
