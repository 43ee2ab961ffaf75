package dev.kvstore.benchmark.kvcache.workload;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** Classes of requests, the most urgent first. */
public enum QosClass {
    INTERACTIVE(50, 3),
    RESPONSIVE(100, 2),
    BATCH(1_000, 1);

    private final QosTarget usual;

    QosClass(double targetMillis, int priority) {
        usual = new QosTarget(targetMillis, priority);
    }

    /** The target that holds without a config file. */
    public QosTarget usual() {
        return usual;
    }

    /** As the JSON has it. */
    @JsonValue
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
