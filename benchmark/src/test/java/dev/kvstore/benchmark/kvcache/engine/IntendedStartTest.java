package dev.kvstore.benchmark.kvcache.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kvstore.benchmark.kvcache.config.QosClass;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import dev.kvstore.benchmark.kvcache.workload.ArrivalProcess;
import dev.kvstore.benchmark.kvcache.workload.MersenneTwister;
import dev.kvstore.benchmark.kvcache.workload.User;
import dev.kvstore.benchmark.kvcache.workload.Workload;
import dev.kvstore.benchmark.measure.BenchProgress;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

/**
 * The benchmark itself is late: it wakes 300 ms after a request was meant to arrive, and the tier needs 200 ms for it.
 */
class IntendedStartTest {
    private static final long LATE = Duration.ofMillis(300).toNanos();
    private static final long SERVED = Duration.ofMillis(200).toNanos();
    private static final double INTENDED_SECONDS = 0.5;

    private final AtomicLong time = new AtomicLong(77);
    private final AtomicBoolean woke = new AtomicBoolean();

    private RunFigures run() {
        WorkloadConfig config = WorkloadConfig.usual();
        LongConsumer park = nanos -> {
            if (woke.compareAndSet(false, true)) {
                time.addAndGet(nanos + LATE);
            } else {
                // The next request is not for this run, which ends with the first; until then time stands.
                LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
            }
        };
        Workload workload = new Workload(
                User.population(1, config, new MersenneTwister(42)),
                config,
                new Workload.WorkloadRules(false, false, false, ArrivalProcess.FIXED, 1, 0, null, 42));
        RunPlan plan = new RunPlan(
                1,
                true,
                false,
                RunPlan.RequestPart.BOTH,
                Duration.ZERO,
                Duration.ofMinutes(1),
                Duration.ZERO,
                1,
                0,
                10,
                config);
        Served.Answering serving = (_, _) -> {
            time.addAndGet(SERVED);
            return new Served(SERVED, -1, SERVED, null);
        };
        return new EngineRun(
                        plan,
                        workload,
                        serving,
                        new AtomicReference<>(new Ledger()),
                        new BenchProgress(_ -> {}, Clock.systemUTC()),
                        new EngineRun.EngineTime(time::get, park),
                        null)
                .run();
    }

    @Test
    void latencyBeginsWhenTheRequestWasMeantToArrive() {
        RunFigures figures = run();

        assertThat(figures.accounts().fromIntended.values()).containsExactly(INTENDED_SECONDS);
        assertThat(figures.ledger().endToEnd.values()).containsExactly(INTENDED_SECONDS);
    }

    @Test
    void latencyFromItsArrivalIsToldBesides() {
        assertThat(run().accounts().fromArrival.values()[0]).isCloseTo(SERVED / 1e9, within(1e-9));
    }

    /** 500 ms are within the target of none but the class batch. */
    @Test
    void theTargetIsHeldAgainstTheIntendedStart() {
        RunFigures figures = run();

        assertThat(figures.accounts().count(RequestOutcome.COMPLETED)).isEqualTo(1);
        assertThat(figures.ledger().of(QosClass.INTERACTIVE).values()).containsExactly(INTENDED_SECONDS);
        assertThat(figures.accounts().withinTargetOf(QosClass.INTERACTIVE)).isZero();
    }
}
