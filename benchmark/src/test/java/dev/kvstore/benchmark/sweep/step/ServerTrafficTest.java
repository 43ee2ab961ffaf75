package dev.kvstore.benchmark.sweep.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kvstore.benchmark.measure.DataPlaneUse;
import dev.kvstore.launcher.stack.Metrics;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerTrafficTest {
    private static final double GIGABIT = 1e9 / 8;

    @Test
    void bothSidesOfTheDataPlanesCount() {
        ServerTraffic traffic = ServerTraffic.of(6 * GIGABIT, 3 * GIGABIT, storage(5, 3), 2);

        assertThat(traffic).isEqualTo(new ServerTraffic(1.5, 3, 2.5, 1.5, 4.0, 4.5, 8.5));
    }

    @ParameterizedTest
    @CsvSource({"1, fine", "79.9, fine", "80, near the limit", "94.9, near the limit", "95, saturated", "101, saturated"
    })
    void aCardIsAsBusyAsItsBusierDirection(double out, String status) {
        ServerTraffic.CardUse use = Objects.requireNonNull(
                ServerTraffic.of(out * GIGABIT, 0, storage(1, 0), 1).ofCard(100.0));

        assertThat(use.percent()).isCloseTo(out, within(1e-9));
        assertThat(use.status()).isEqualTo(status);
    }

    @Test
    void noShareIsGivenOfASideThatCannotBeSeen() {
        assertThat(ServerTraffic.of(GIGABIT, 0, null, 1).ofCard(100.0)).isNull();
    }

    private static DataPlaneUse storage(double read, double written) {
        return DataPlaneUse.of(Metrics.parse("""
                kvstore_storage_bytes_total{direction="read"} %s
                kvstore_storage_bytes_total{direction="written"} %s
                """.formatted(read * GIGABIT, written * GIGABIT)));
    }
}
