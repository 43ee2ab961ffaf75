package dev.kvstore.benchmark.kvcache.scale;

/** Decides how many users there are in the next interval. For one thread at a time. */
public sealed interface Autoscaler permits QosAutoscaler, CapacityAutoscaler {
    /** As the JSON has it. */
    String mode();

    /** How many users there are now. */
    int users();

    /** The decision of an autoscaler after an interval. */
    ScaleAction decide(SaturationSample sample);

    /**
     * Measures of an interval.
     *
     * @param saturation of storage: 1 at the thresholds of the config file, above it beyond them
     * @param throughput tokens a second
     */
    record SaturationSample(double saturation, double throughput) {}

    /** The change of the number of users. */
    enum ScaleAction {
        HOLD("hold"),
        SCALE_UP("scale_up"),
        SCALE_DOWN("scale_down"),
        /** The run ends: more users bring nothing. */
        STOP("stop");

        private final String text;

        ScaleAction(String text) {
            this.text = text;
        }

        /** As the JSON has it. */
        @Override
        public String toString() {
            return text;
        }
    }
}
