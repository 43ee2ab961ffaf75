package dev.kvstore.benchmark.sweep.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Objects;
import org.junit.jupiter.api.Test;

class HopsTest {
    private static final String METRICS = """
            kvstore_call_duration_seconds_count{method="lookup"} 700
            kvstore_call_duration_seconds_sum{method="lookup"} 1.4
            kvstore_call_duration_seconds_count{method="read"} 600
            kvstore_call_duration_seconds_sum{method="read"} 3.6
            kvstore_call_duration_seconds_count{method="streaming_read"} 5
            kvstore_call_duration_seconds_sum{method="streaming_read"} 500
            kvstore_storage_call_duration_seconds_sum{operation="get"} 1.2
            kvstore_storage_call_duration_seconds_sum{operation="get_range"} 0.6
            kvstore_storage_call_duration_seconds_sum{operation="list"} 100
            """;

    @Test
    void theMeanIsTheSumOfItsHops() {
        Hops read = hops(PlannedStep.closed(1, 16), "read");

        assertThat(read.meanMillis()).isCloseTo(10, within(0.01));
        assertThat(read.storageMillis()).isCloseTo(3, within(1e-9));
        assertThat(read.serverMillis()).isCloseTo(3, within(1e-9));
        assertThat(read.wireAndClientMillis()).isCloseTo(4, within(0.01));
    }

    @Test
    void storageIsOfTheOperationsThatTheCallWaitsFor() {
        assertThat(hops(PlannedStep.closed(1, 16), "lookup").storageMillis()).isZero();
    }

    @Test
    void aMethodThatTheDataPlanesDoNotShowHasNoHops() {
        assertThat(step(PlannedStep.closed(1, 16)).hops()).containsOnlyKeys("lookup", "read");
    }

    @Test
    void anOpenLoopHasNone() {
        assertThat(step(PlannedStep.open(1, 100)).hops()).isEmpty();
    }

    private static Hops hops(PlannedStep plan, String call) {
        return Objects.requireNonNull(step(plan).hops().get(call));
    }

    private static SweepStep step(PlannedStep plan) {
        return Steps.counted(plan, Steps.flags(), Steps.figures(100, 10, 0, FaultCounts.NONE), METRICS);
    }
}
