package dev.kvstore.control.heat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.testing.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** {@link HeavyQueries}: few at a time, and each once. */
class HeavyQueriesTest {
    private static final String PARTY = "tenant a";

    private record NumberedQuery(int number) {}

    private final HeavyQueries queries = new HeavyQueries();
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    private int query() {
        asked.incrementAndGet();
        most.accumulateAndGet(running.incrementAndGet(), Math::max);
        Thread.onSpinWait();
        running.decrementAndGet();
        return 1;
    }

    private static void together(int count, Runnable work) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            threads.add(Thread.startVirtualThread(work));
        }
        for (Thread thread : threads) {
            assertThat(thread.join(Patience.LIMIT)).isTrue();
        }
    }

    @Test
    void soManyRunAtATime() throws InterruptedException {
        AtomicInteger number = new AtomicInteger();

        together(40, () -> {
            var _ = queries.answer(PARTY, new NumberedQuery(number.incrementAndGet()), Integer.class, this::query);
        });

        assertThat(asked).hasValue(40);
        assertThat(most.get()).isBetween(1, HeavyQueries.AT_A_TIME);
    }

    @Test
    void whoAsksForMuchKeepsNobodyElseWaitingForIt() throws InterruptedException {
        Semaphore running = new Semaphore(0);
        Semaphore end = new Semaphore(0);
        List<Thread> many = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            many.add(Thread.startVirtualThread(() -> queries.inPlace(PARTY, () -> {
                running.release();
                end.acquire();
                return 1;
            })));
        }
        running.acquire();
        Awaitility.await().atMost(Patience.LIMIT).until(() -> queries.waiting() == 39);
        Thread other = Thread.startVirtualThread(() -> queries.inPlace("tenant b", this::query));

        // If it has to wait, then for the query that runs.
        Awaitility.await().atMost(Patience.LIMIT).until(() -> asked.get() == 1 || queries.waiting() == 40);
        end.release();

        assertThat(other.join(Patience.LIMIT)).isTrue();
        assertThat(asked).hasValue(1);
        end.release(many.size());
        for (Thread thread : many) {
            assertThat(thread.join(Patience.LIMIT)).isTrue();
        }
    }

    @Test
    void aPlaceRestsForAsLongAsItsQueryTook() throws InterruptedException {
        AtomicLong time = new AtomicLong();
        BlockingQueue<Long> rests = new LinkedBlockingQueue<>();
        HeavyQueries timed = new HeavyQueries(time::get, rests::add);

        for (Duration taken : List.of(Duration.ofMillis(30), Duration.ofSeconds(20))) {
            var _ = timed.inPlace(PARTY, () -> time.addAndGet(taken.toNanos()));
            assertThat(rests.poll(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isEqualTo(Math.min(taken.toNanos(), HeavyQueries.REST.toNanos()));
        }
    }

    @Test
    void aPlaceThatRestsIsFreeOnlyAfterwards() throws InterruptedException {
        CountDownLatch resting = new CountDownLatch(1);
        CountDownLatch rest = new CountDownLatch(1);
        HeavyQueries timed = new HeavyQueries(() -> 0, _ -> {
            resting.countDown();
            rest.await();
        });

        var _ = timed.inPlace(PARTY, this::query);
        assertThat(resting.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(timed.free()).isEqualTo(HeavyQueries.AT_A_TIME - 1);

        rest.countDown();
        Awaitility.await().atMost(Patience.LIMIT).until(() -> timed.free() == HeavyQueries.AT_A_TIME);
    }

    @Test
    void whoAsksTheSameMeanwhileIsAnsweredWithThat() throws InterruptedException {
        Semaphore answer = new Semaphore(0);
        CountDownLatch waiting = new CountDownLatch(1);
        Thread first = Thread.startVirtualThread(() -> {
            var _ = queries.answer(PARTY, new NumberedQuery(0), Integer.class, () -> {
                waiting.countDown();
                answer.acquire();
                return query();
            });
        });
        assertThat(waiting.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        Thread second = Thread.startVirtualThread(() -> {
            var _ = queries.answer(PARTY, new NumberedQuery(0), Integer.class, this::query);
        });
        answer.release();

        assertThat(first.join(Patience.LIMIT) && second.join(Patience.LIMIT)).isTrue();
        assertThat(asked.get()).isBetween(1, 2);
    }

    @Test
    void aQueryThatComputesKeepsNoVirtualThreadFromItsTurn() {
        assertThat(queries.answer(
                        PARTY,
                        new NumberedQuery(2),
                        Boolean.class,
                        () -> Thread.currentThread().isVirtual()))
                .isFalse();
        assertThat(queries.inPlace(PARTY, () -> Thread.currentThread().isVirtual()))
                .isFalse();
    }

    @Test
    void aQueryThatFailsIsAskedAgain() {
        NumberedQuery question = new NumberedQuery(1);
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> queries.answer(PARTY, question, Integer.class, () -> {
                    throw new java.sql.SQLException("away");
                }))
                .hasRootCauseMessage("away");

        assertThat(queries.answer(PARTY, question, Integer.class, this::query)).isEqualTo(1);
    }

    @Test
    void workThatTakesAPlaceFirstWaitsForItAndNotAgainForItsQueries() throws Exception {
        CountDownLatch begun = new CountDownLatch(HeavyQueries.AT_A_TIME);
        CountDownLatch end = new CountDownLatch(1);
        List<Thread> others = new ArrayList<>();
        for (int i = 0; i < HeavyQueries.AT_A_TIME; i++) {
            String party = "tenant " + i;
            others.add(Thread.startVirtualThread(() -> queries.inPlace(party, () -> {
                begun.countDown();
                end.await();
                return 1;
            })));
        }
        begun.await();
        AtomicInteger worked = new AtomicInteger();
        Thread work = Thread.startVirtualThread(() -> {
            try {
                worked.set(queries.holding(
                        PARTY, () -> queries.inPlace(PARTY, this::query) + queries.inPlace(PARTY, this::query)));
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        Awaitility.await().atMost(Patience.LIMIT).until(() -> queries.waiting() == 1);
        assertThat(asked).hasValue(0);

        end.countDown();

        assertThat(work.join(Patience.LIMIT)).isTrue();
        assertThat(worked).hasValue(2);
        for (Thread other : others) {
            assertThat(other.join(Patience.LIMIT)).isTrue();
        }
        Awaitility.await().atMost(Patience.LIMIT).until(() -> queries.free() == HeavyQueries.AT_A_TIME);
    }
}
