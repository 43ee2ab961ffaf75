package dev.kvstore.benchmark.kvcache.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import dev.kvstore.benchmark.kvcache.engine.Autoscaler.ScaleAction;
import dev.kvstore.benchmark.kvcache.workload.ArrivalProcess;
import dev.kvstore.benchmark.kvcache.workload.MersenneTwister;
import dev.kvstore.benchmark.kvcache.workload.User;
import dev.kvstore.benchmark.kvcache.workload.Workload;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The measures of an interval, and the users that ask in the next one. */
class ScalingTest {
    private static final int ALL = 50;
    private static final int FIRST = 20;

    private final Ledger ledger = new Ledger();
    private final Workload workload = new Workload(
            User.population(ALL, WorkloadConfig.usual(), new MersenneTwister(42)),
            WorkloadConfig.usual(),
            new Workload.WorkloadRules(true, true, false, ArrivalProcess.USERS, 0, 0, null, 42));
    private final Scaling scaling = new Scaling(
            new Autoscaler.Qos(FIRST, 0.8, WorkloadConfig.usual().autoscaler(), 1),
            WorkloadConfig.usual().saturationDetection(),
            Duration.ofSeconds(10),
            workload,
            Clock.systemUTC(),
            true);

    private void reads(double seconds) {
        for (int i = 0; i < 100; i++) {
            ledger.tier(Slot.STORAGE).reads.add(seconds);
        }
    }

    private int highestUser() {
        return IntStream.range(0, 2_000)
                .map(_ -> Objects.requireNonNull(workload.next()).user().number())
                .max()
                .orElseThrow();
    }

    @Test
    void onlyActiveUsersAsk() {
        assertThat(highestUser()).isEqualTo(FIRST - 1);
    }

    @Test
    void whenStorageCanTakeMoreUsersComeAndAsk() {
        highestUser();
        reads(0.001);
        scaling.sample(ledger, 0, 10);

        assertThat(highestUser()).isEqualTo(23);
        assertThat(scaling.figures().events()).hasSize(1);
        assertThat(scaling.figures().events().getFirst().action()).isEqualTo(ScaleAction.SCALE_UP);
    }

    @Test
    void slowReadsTakeUsersAway() {
        reads(0.2);
        scaling.sample(ledger, 0, 10);
        reads(0.2);
        scaling.sample(ledger, 0, 20);

        assertThat(scaling.figures().finalUsers()).isEqualTo(16);
        assertThat(scaling.figures().events().getFirst().saturation()).isCloseTo(2, within(1e-9));
        assertThat(highestUser()).isEqualTo(15);
    }

    @Test
    void aLongQueueTakesUsersAway() {
        scaling.sample(ledger, 150, 10);
        scaling.sample(ledger, 150, 20);

        assertThat(scaling.figures().finalUsers()).isEqualTo(16);
    }

    /** Else a bad beginning would be held against users for ever. */
    @Test
    void anIntervalIsJudgedByItsOwnReads() {
        reads(0.2);
        scaling.sample(ledger, 0, 10);
        reads(0.001);
        scaling.sample(ledger, 0, 20);

        assertThat(scaling.figures().finalUsers()).isEqualTo(24);
    }

    @Test
    void throughputIsThatOfTheInterval() {
        ledger.tokens.add(1_000);
        scaling.sample(ledger, 0, 10);
        ledger.tokens.add(500);
        scaling.sample(ledger, 0, 20);

        assertThat(scaling.figures().timeline().stream().map(Scaling.ScalingPoint::throughput))
                .containsExactly(100.0, 50.0);
    }
}
