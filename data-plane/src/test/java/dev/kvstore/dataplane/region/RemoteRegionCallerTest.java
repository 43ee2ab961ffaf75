package dev.kvstore.dataplane.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvstore.dataplane.account.Account;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.rate.Breaker;
import dev.kvstore.dataplane.storage.ReadLimits;
import dev.kvstore.dataplane.storage.StorageException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class RemoteRegionCallerTest {
    private static final Account.ReadThrough LONG = there(Duration.ofSeconds(30));
    private static final Account.ReadThrough SHORT = there(Duration.ofMillis(20));

    private final AtomicLong now = new AtomicLong();
    private final ThroughMeters meters = ThroughMeters.in(new SimpleMeterRegistry());
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final RemoteRegionCaller reach = new RemoteRegionCaller(executor, now::get);

    private static Account.ReadThrough there(Duration within) {
        return new Account.ReadThrough("there", new StorageLocation.Filesystem(Path.of("/there")), within);
    }

    @AfterEach
    void end() {
        executor.close();
    }

    private @Nullable String ask(ThroughMeters.RemoteTally calls, RemoteRegionCaller.RemoteCall<String> question) {
        return reach.ask(LONG, calls, question, _ -> {});
    }

    private static String fail() throws StorageException {
        throw new StorageException(StorageException.Kind.UNAVAILABLE, "away", null);
    }

    private void failOften() {
        for (int i = 0; i < Breaker.FAILURES; i++) {
            assertThat(ask(meters.reads(), RemoteRegionCallerTest::fail)).isNull();
        }
    }

    @Test
    void anAnswerInTimeIsTheCallers() {
        assertThat(ask(meters.reads(), () -> "here")).isEqualTo("here");
    }

    @Test
    void anAnswerThatIsLateGoesToWhoTakesLateOnes() {
        CountDownLatch slow = new CountDownLatch(1);
        List<String> late = new CopyOnWriteArrayList<>();

        String answer = reach.ask(
                SHORT,
                meters.reads(),
                () -> {
                    awaitUninterruptibly(slow);
                    return "late";
                },
                late::add);

        assertThat(answer).isNull();
        assertThat(late).isEmpty();
        slow.countDown();
        await().until(() -> late.equals(List.of("late")));
        assertThat(meters.reads().late().count()).isEqualTo(1);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whereEverythingFailsNobodyAsksUntilThePauseIsOverAndThenOneDoes() {
        failOften();
        AtomicInteger asked = new AtomicInteger();
        RemoteRegionCaller.RemoteCall<String> counted = () -> {
            asked.incrementAndGet();
            return fail();
        };

        assertThat(ask(meters.reads(), counted)).isNull();
        assertThat(asked).hasValue(0);
        assertThat(reach.isPaused(LONG, meters.reads())).isTrue();

        now.set(RemoteRegionCaller.PAUSE.toNanos());
        assertThat(reach.isPaused(LONG, meters.reads())).isFalse();
        assertThat(ask(meters.reads(), counted)).isNull();
        assertThat(ask(meters.reads(), counted)).isNull();
        assertThat(asked).hasValue(1);

        now.set(RemoteRegionCaller.PAUSE.multipliedBy(2).toNanos());
        assertThat(ask(meters.reads(), () -> "back")).isEqualTo("back");
        assertThat(ask(meters.reads(), () -> "for all")).isEqualTo("for all");
    }

    @Test
    void lookupsGoOnWhileReadsArePaused() {
        failOften();

        assertThat(ask(meters.lookups(), () -> "found")).isEqualTo("found");
    }

    @Test
    void memoryThatIsShortHereIsNoFaultOfTheStorageThere() {
        MemoryPool empty = new MemoryPool(1, Duration.ZERO);
        for (int i = 0; i < 2 * Breaker.FAILURES; i++) {
            assertThat(ask(meters.reads(), () -> exhausted(empty))).isNull();
        }

        assertThat(ask(meters.reads(), () -> "here")).isEqualTo("here");
    }

    private static String exhausted(MemoryPool pool) throws MemoryExhaustedException {
        return "" + pool.allocate(1 << 20).length();
    }

    @Test
    void aStorageThatHangsLeavesQuestionsToOthers() {
        CountDownLatch never = new CountDownLatch(1);
        AtomicInteger underWay = new AtomicInteger();
        int questions = RemoteRegionCaller.MOST_QUESTIONS + 10;
        AtomicInteger begun = new AtomicInteger();
        for (int i = 0; i < questions; i++) {
            executor.execute(() -> {
                begun.incrementAndGet();
                var _ = ask(meters.reads(), () -> {
                    underWay.incrementAndGet();
                    awaitUninterruptibly(never);
                    return "";
                });
            });
        }
        await().until(() -> begun.get() == questions
                && underWay.get() + meters.reads().busy().count() == questions);

        String other = reach.ask(
                new Account.ReadThrough(
                        "there", new StorageLocation.Filesystem(Path.of("/other")), Duration.ofSeconds(30)),
                meters.reads(),
                () -> "other",
                _ -> {});

        never.countDown();
        assertThat(other).isEqualTo("other");
    }

    @Test
    void aQuestionThatFindsNoRoomIsNotTheTrialAfterAPause() {
        failOften();
        CountDownLatch never = new CountDownLatch(1);
        for (int i = 0; i < ReadLimits.ACCOUNT_QUESTIONS; i++) {
            var _ = reach.ask(
                    SHORT,
                    meters.lookups(),
                    () -> {
                        awaitUninterruptibly(never);
                        return "";
                    },
                    _ -> {});
            // Each in a time of its own, so that lookups are not paused.
            now.addAndGet(RemoteRegionCaller.PAUSE.toNanos());
        }

        assertThat(ask(meters.reads(), () -> "no room")).isNull();
        assertThat(meters.reads().busy().count()).isEqualTo(1);
        assertThat(reach.isPaused(LONG, meters.reads())).isFalse();

        never.countDown();
        await().until(() -> "the trial".equals(ask(meters.reads(), () -> "the trial")));
    }

    @Test
    void questionsThatNobodyWaitsForAnyMoreAreBounded() {
        CountDownLatch never = new CountDownLatch(1);
        AtomicInteger underWay = new AtomicInteger();
        for (int i = 0; i < RemoteRegionCaller.MOST_QUESTIONS; i++) {
            // Each for a storage of its own, so that none is paused.
            var _ = reach.ask(
                    new Account.ReadThrough(
                            "there", new StorageLocation.Filesystem(Path.of("/there" + i)), Duration.ofNanos(1)),
                    meters.reads(),
                    () -> {
                        underWay.incrementAndGet();
                        awaitUninterruptibly(never);
                        return "";
                    },
                    _ -> {});
        }

        assertThat(ask(meters.reads(), () -> "one more")).isNull();

        never.countDown();
        await().until(() -> "again".equals(ask(meters.reads(), () -> "again")));
        await("every question that was taken is asked")
                .untilAsserted(() -> assertThat(underWay).hasValue(RemoteRegionCaller.MOST_QUESTIONS));
    }
}
