package dev.kvstore.testing.schedule;

import dev.kvstore.testing.schedule.RacingThreads.ThreadBody;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import kotlin.Unit;
import org.jspecify.annotations.Nullable;
import org.pastalab.fray.core.TestRunner;
import org.pastalab.fray.core.command.Configuration;
import org.pastalab.fray.core.command.ExecutionInfo;
import org.pastalab.fray.core.command.LambdaExecutor;
import org.pastalab.fray.core.command.NetworkDelegateType;
import org.pastalab.fray.core.command.SystemTimeDelegateType;
import org.pastalab.fray.core.randomness.ControlledRandom;
import org.pastalab.fray.core.scheduler.POSScheduler;

/** Runs schedules in a JVM with Fray. Stateless. */
final class FraySchedules {
    private static final Duration WARM_UP = Duration.ofSeconds(30);

    private static final long NOT_MOCKED = 100_000;

    private FraySchedules() {}

    static void explore(ThreadBody body, int first, int count, int seconds) {
        warmUp(body);
        AtomicLong seed = new AtomicLong(first);
        Configuration configuration = new Configuration(
                new ExecutionInfo(
                        new LambdaExecutor(() -> {
                            run(body);
                            return Unit.INSTANCE;
                        }),
                        false,
                        true,
                        -1),
                Path.of("target", "schedules", "report").toAbsolutePath(),
                count,
                seconds,
                new POSScheduler(random(seed.getAndIncrement())),
                () -> random(seed.getAndIncrement()),
                true,
                false,
                true,
                false,
                false,
                false,
                NetworkDelegateType.NONE,
                SystemTimeDelegateType.NONE,
                NOT_MOCKED,
                // A timed wait ends by itself only if no thread can go on.
                true,
                true,
                false,
                false,
                false,
                false,
                null);
        Throwable failure = new TestRunner(configuration).run();
        if (failure != null) {
            throw new AssertionError(
                    "schedule " + (first + configuration.getCurrentIteration()) + ": " + failure, failure);
        }
    }

    /**
     * Runs the scenario once without control, so that libraries are initialized and have started their own threads,
     * which would otherwise count as threads of the scenario. A scenario that does not end in this run is left alone.
     */
    private static void warmUp(ThreadBody body) {
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Thread once = Thread.ofPlatform().daemon().start(() -> {
            try {
                body.run();
            } catch (Throwable e) {
                failure.set(e);
            }
        });
        try {
            boolean _ = once.join(WARM_UP);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Throwable failed = failure.get();
        if (failed != null) {
            throw new AssertionError("before any schedule: " + failed, failed);
        }
    }

    private static void run(ThreadBody body) {
        try {
            body.run();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static ControlledRandom random(long seed) {
        return new ControlledRandom(new ArrayList<>(), new ArrayList<>(), new Random(seed));
    }
}
