package dev.kvstore.benchmark.kvcache;

import dev.kvstore.benchmark.kvcache.scale.Autoscaler;
import dev.kvstore.benchmark.kvcache.scale.CapacityAutoscaler;
import dev.kvstore.benchmark.kvcache.scale.QosAutoscaler;
import dev.kvstore.benchmark.kvcache.scale.ScaleRules;
import dev.kvstore.benchmark.kvcache.workload.ArrivalProcess;
import picocli.CommandLine.Option;

/** The flags of autoscalers. */
final class ScaleFlags {
    @Option(
            names = "--enable-autoscaling",
            description =
                    "Users come and go while it runs, beginning with --num-users. Requests depend on the machine then. With"
                            + " --compat it is written down how many there should be, and they stay.")
    boolean on;

    @Option(
            names = "--autoscaler-mode",
            paramLabel = "MODE",
            defaultValue = "qos",
            description =
                    "qos: storage stays about as saturated as --target-saturation; capacity: users come until that brings no"
                            + " more throughput, which ends the run. Default: ${DEFAULT-VALUE}.")
    Mode mode = Mode.QOS;

    @Option(
            names = "--target-saturation",
            paramLabel = "X",
            defaultValue = "0.8",
            description =
                    "0 to 1, of the thresholds in the config file's saturation_detection. Default: ${DEFAULT-VALUE}.")
    double target;

    @Option(
            names = "--autoscaler-interval",
            paramLabel = "S",
            defaultValue = "10",
            description = "Seconds between two looks, 1 to 600. Default: ${DEFAULT-VALUE}.")
    int interval;

    /** The measures by which an autoscaler decides. */
    enum Mode {
        QOS,
        CAPACITY
    }

    /** @throws IllegalArgumentException for a flag that cannot be, which it names */
    void check(WorkloadFlags workload) {
        if (!(target >= 0.01 && target <= 1)) {
            throw new IllegalArgumentException("--target-saturation: must be 0.01 to 1, not " + target);
        }
        WorkloadFlags.range("--autoscaler-interval", interval, 1, 600);
        if (on && workload.arrival != ArrivalProcess.USERS) {
            throw new IllegalArgumentException(
                    "--enable-autoscaling: needs users that come and go; leave --arrival out");
        }
    }

    Autoscaler scaler(int users, ScaleRules rules) {
        return switch (mode) {
            case QOS -> new QosAutoscaler(users, target, rules);
            case CAPACITY -> new CapacityAutoscaler(users, rules);
        };
    }
}
