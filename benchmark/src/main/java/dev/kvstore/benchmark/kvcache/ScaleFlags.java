package dev.kvstore.benchmark.kvcache;

import dev.kvstore.benchmark.kvcache.config.ScaleRules;
import dev.kvstore.benchmark.kvcache.engine.Autoscaler;
import dev.kvstore.benchmark.kvcache.engine.CapacityAutoscaler;
import dev.kvstore.benchmark.kvcache.engine.QosAutoscaler;
import dev.kvstore.benchmark.kvcache.workload.ArrivalProcess;
import java.util.Locale;
import picocli.CommandLine.Option;

/** The flags of autoscalers. */
final class ScaleFlags {
    @Option(names = "--enable-autoscaling")
    boolean on;

    @Option(names = "--autoscaler-mode", paramLabel = "MODE")
    Mode mode = Mode.QOS;

    @Option(names = "--target-saturation", paramLabel = "X")
    double target = 0.8;

    @Option(names = "--autoscaler-interval", paramLabel = "S")
    int interval = 10;

    /** The measures by which an autoscaler decides. */
    enum Mode {
        QOS,
        CAPACITY;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** @throws IllegalArgumentException for a flag that cannot be, which it names */
    void check(WorkloadFlags workload) {
        FlagCheck.range("--target-saturation", target, "0.01", "1");
        FlagCheck.range("--autoscaler-interval", interval, 1, 600);
        FlagCheck.refuseIf(
                on && workload.arrival != ArrivalProcess.USERS,
                "--enable-autoscaling: needs users that come and go; leave --arrival out");
    }

    Autoscaler scaler(int users, ScaleRules rules, boolean compat) {
        return switch (mode) {
            case QOS -> new QosAutoscaler(users, target, rules, compat ? 0 : 1);
            case CAPACITY -> new CapacityAutoscaler(users, rules);
        };
    }
}
