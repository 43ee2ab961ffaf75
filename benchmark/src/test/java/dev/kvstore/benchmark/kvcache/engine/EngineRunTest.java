package dev.kvstore.benchmark.kvcache.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kvstore.benchmark.kvcache.tier.DamageException;
import dev.kvstore.benchmark.kvcache.tier.EntryBytes;
import dev.kvstore.benchmark.kvcache.tier.IoTime;
import dev.kvstore.benchmark.kvcache.tier.KvCacheMemoryTier;
import dev.kvstore.benchmark.kvcache.tier.NoiseContent;
import dev.kvstore.benchmark.kvcache.tier.NullTier;
import dev.kvstore.benchmark.kvcache.tier.Scratch;
import dev.kvstore.benchmark.kvcache.tier.SimulatedGpu;
import dev.kvstore.benchmark.kvcache.tier.Tier;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whole runs of about a second. */
@Tag("slow")
class EngineRunTest {
    /** A read for a request in the middle of the window: some 500 are read in all. */
    private static final int IN_THE_WINDOW = 300;

    private static final double SLOW_SECONDS = 0.05;

    /** So slow that requests wait. */
    private static Tier overloaded() {
        return new SimulatedGpu(0.001, Duration.ZERO);
    }

    /** Reads take so much longer. */
    private static Tier slowed() {
        return new TestTier(new NullTier()) {
            @Override
            public IoTime read(EntryBytes blob, Scratch memory, boolean check, LongConsumer moved) throws IOException {
                long start = System.nanoTime();
                LockSupport.parkNanos((long) (SLOW_SECONDS * 1e9));
                super.read(blob, memory, check, moved);
                return new IoTime(System.nanoTime() - start, 0);
            }
        };
    }

    private interface BeforeRead {
        /** @param number of the read, from 1 */
        void read(long number) throws IOException;
    }

    /** A tier that does something before each read. */
    private static TestTier before(BeforeRead action) {
        AtomicLong reads = new AtomicLong();
        return new TestTier(new NullTier()) {
            @Override
            public IoTime read(EntryBytes blob, Scratch memory, boolean check, LongConsumer moved) throws IOException {
                action.read(reads.incrementAndGet());
                return super.read(blob, memory, check, moved);
            }
        };
    }

    @Test
    void requestsAreAnsweredFromTheirTier() {
        RunFigures figures =
                Trial.of(new KvCacheMemoryTier(new NoiseContent(1))).run();

        assertThat(figures.accounts().count(RequestOutcome.COMPLETED)).isPositive();
        assertThat(figures.ledger().damaged.sum()).isZero();
        assertThat(figures.ledger().readBytes.sum()).isPositive();
    }

    @Test
    void everyRequestOfTheWindowBecomesSomething() {
        RunFigures figures = Trial.of(overloaded()).run();

        assertThat(figures.accounts().unaccounted()).isZero();
        assertThat(figures.accounts().count(RequestOutcome.ABANDONED)).isPositive();
    }

    @Test
    void requestsThatFindNoRoomAreRefused() {
        RunFigures figures = Trial.of(overloaded()).withMaxQueue(3).run();

        assertThat(figures.accounts().count(RequestOutcome.REFUSED)).isPositive();
        assertThat(figures.accounts().unaccounted()).isZero();
        assertThat(figures.queue().longest()).isEqualTo(3);
    }

    @Test
    void requestsOfTheWarmUpDoNotCountTowardsTheMost() {
        RunFigures figures =
                Trial.of(new NullTier()).at(1_000).withMaxRequests(10).run();

        assertThat(figures.accounts().count(RequestOutcome.COMPLETED)).isGreaterThanOrEqualTo(10);
        assertThat(figures.seconds()).isPositive();
    }

    /** As clients over the network do: they end with a failure, and the thread is not interrupted any more. */
    @Test
    void aRequestThatIsGivenUpAtTheEndHasNotFailed() {
        // Of the window: the warm-up takes 200 ms.
        long until = System.nanoTime() + Duration.ofMillis(400).toNanos();
        RunFigures figures = Trial.of(new TestTier(new NullTier()) {
                    @Override
                    public IoTime write(EntryBytes blob, Scratch memory, LongConsumer moved) throws IOException {
                        if (System.nanoTime() - until < 0) {
                            return super.write(blob, memory, moved);
                        }
                        try {
                            return new IoTime(new CountDownLatch(1).await(1, TimeUnit.HOURS) ? 1 : 0, 0);
                        } catch (InterruptedException e) {
                            throw new IOException("the call was given up", e);
                        }
                    }
                })
                .run();

        assertThat(figures.accounts().count(RequestOutcome.FAILED)).isZero();
        assertThat(figures.accounts().count(RequestOutcome.ABANDONED)).isPositive();
    }

    /** So slow that the first entry would take more than a year. */
    private static Tier stuck() {
        return new SimulatedGpu(1e-12, Duration.ZERO);
    }

    @Test
    @Timeout(60)
    void aTierThatNeverEndsItsAccessesDoesNotKeepARunFromItsEnd() {
        RunFigures figures = Trial.of(stuck()).run();

        assertThat(figures.accounts().count(RequestOutcome.ABANDONED)).isPositive();
        assertThat(figures.accounts().unaccounted()).isZero();
    }

    @Test
    @Timeout(60)
    void asTheOriginalCountsRequestsThatAreGivenUpAreNoAnswers() {
        RunFigures figures = Trial.of(stuck()).asOriginal().run();

        assertThat(figures.ledger().endToEnd.count()).isZero();
        assertThat(figures.accounts().count(RequestOutcome.COMPLETED)).isZero();
    }

    @Test
    void rateTimesWaitIsTheLengthOfTheQueue() {
        assertThat(Trial.of(overloaded()).run().queue().littlesLaw()).isCloseTo(1, within(0.05));
    }

    /** The original's bytes go on after its clock has stopped. */
    @Test
    void bytesOfTheWindowNeverExceedWhatTheTierCanMove() {
        RunFigures figures = Trial.of(overloaded()).run();
        double readsPerSecond = figures.ledger().tier(Slot.STORAGE).readBytes.sum() / figures.seconds();

        assertThat(readsPerSecond).isLessThan(1e6 * 1.05);
    }

    @Test
    void theSameSeedMakesTheSameStreamForAnyNumberOfWorkers() {
        assertThat(Stream.of(1, 8, 64)
                        .map(workers -> Trial.of(new NullTier())
                                .withWorkers(workers)
                                .run()
                                .streamHash())
                        .distinct())
                .hasSize(1);
    }

    /** More requests a second than any machine sends in time. */
    private static final int TOO_MANY = 2_000_000;

    @Test
    void requestsThatWereSentTooLateAreOfferedAllTheSame() {
        RunFigures figures =
                Trial.of(new NullTier()).withMaxQueue(100).at(TOO_MANY).run();

        assertThat((double) figures.accounts().offered()).isCloseTo(0.6 * TOO_MANY, within(1.0));
        assertThat(figures.accounts().unaccounted()).isZero();
    }

    @Test
    void aSlowedTierIsSlowInItsDeviceTime() {
        RunFigures figures = Trial.of(slowed()).run();

        assertThat(figures.ledger().tier(Slot.STORAGE).deviceReads.percentile(50))
                .isGreaterThanOrEqualTo(SLOW_SECONDS);
        assertThat(figures.ledger().tier(Slot.STORAGE).hostReads.percentile(50)).isZero();
    }

    @Test
    void aTierThatFailsFailsRequests() {
        RunFigures figures = Trial.of(before(number -> {
                    if (number % 20 == 0) {
                        throw new IOException("broken");
                    }
                }))
                .run();

        assertThat(figures.accounts().count(RequestOutcome.FAILED)).isPositive();
        assertThat(figures.accounts().firstFailure()).isEqualTo("broken");
        assertThat(figures.ledger().errors.sum()).isPositive();
        assertThat(figures.accounts().unaccounted()).isZero();
    }

    @Test
    void aWorkerThatEndsIsNamedAndItsRequestIsNotAccountedFor() {
        RunFigures figures = Trial.of(before(number -> {
                    if (number == IN_THE_WINDOW) {
                        throw new OutOfMemoryError("Java heap space");
                    }
                }))
                .run();

        assertThat(figures.accounts().unaccounted()).isEqualTo(1);
        assertThat(figures.accounts().firstFailure()).isEqualTo("java.lang.OutOfMemoryError: Java heap space");
    }

    @Test
    void wrongBytesAreNoHit() {
        RunFigures figures = Trial.of(new TestTier(new NullTier()) {
                    @Override
                    public IoTime read(EntryBytes blob, Scratch memory, boolean check, LongConsumer moved)
                            throws IOException {
                        throw new DamageException(blob, 0);
                    }
                })
                .run();

        assertThat(figures.ledger().damaged.sum()).isPositive();
        assertThat(figures.ledger().hits.sum()).isZero();
    }

    @Test
    void asTheOriginalCountsAnErrorIsAHitThatTookNoTime() {
        RunFigures figures = Trial.of(before(_ -> {
                    throw new IOException("broken");
                }))
                .asOriginal()
                .run();

        assertThat(figures.ledger().hits.sum()).isPositive();
        assertThat(figures.accounts().count(RequestOutcome.FAILED)).isZero();
    }

    @Test
    void asTheOriginalCountsASharedPromptIsNeverFound() {
        Ledger original = Trial.of(new NullTier()).asOriginal().run().ledger();
        Ledger honest = Trial.of(new NullTier()).run().ledger();

        assertThat(original.misses.sum()).isGreaterThanOrEqualTo(original.prefixHits.sum());
        assertThat(honest.misses.sum()).isLessThan(honest.prefixHits.sum());
    }

    @Test
    void aRunEndsWithTheRequestThatWasToBeItsLast() {
        RunFigures figures = Trial.of(new NullTier()).withMaxRequests(50).run();

        assertThat(figures.seconds()).isLessThan(50);
    }

    /** A tier that stands still for a while: requests that were meant to arrive meanwhile waited for it. */
    @Test
    void aTierThatStandsStillShowsInTheLatencyOfTheRequestsBehind() {
        AtomicLong reads = new AtomicLong();
        RunFigures figures = Trial.of(new TestTier(new NullTier()) {
                    @Override
                    public IoTime read(EntryBytes blob, Scratch memory, boolean check, LongConsumer moved)
                            throws IOException {
                        if (reads.incrementAndGet() == 400) {
                            LockSupport.parkNanos(Duration.ofMillis(300).toNanos());
                        }
                        return super.read(blob, memory, check, moved);
                    }
                })
                .withWorkers(1)
                .at(400)
                .run();

        assertThat(figures.accounts().fromIntended.percentile(90)).isGreaterThan(0.1);
    }
}
