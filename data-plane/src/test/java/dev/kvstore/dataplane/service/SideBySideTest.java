package dev.kvstore.dataplane.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kvstore.dataplane.account.Party;
import dev.kvstore.dataplane.call.CallAdmission;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.testing.Patience;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The steps of one call share the slots of all calls. */
final class SideBySideTest {
    private static final Executor THREADS = Thread::startVirtualThread;

    @Test
    void eachStepThatRunsAtATimeTakesASlot() throws Exception {
        CallAdmission operations = operations(10);
        CallAdmission.CallSlot place = running(operations);
        CountDownLatch all = new CountDownLatch(4);
        AtomicInteger slots = new AtomicInteger();

        SideBySide.run(4, 16, place, THREADS, _ -> {
            all.countDown();
            assertThat(all.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            slots.accumulateAndGet(operations.running(), Math::max);
        });

        assertThat(slots).hasValue(4);
        assertThat(operations.running()).isEqualTo(1);
    }

    @Test
    void withoutAFreeSlotTheStepsRunOneAfterTheOther() throws Exception {
        CallAdmission operations = operations(1);
        CallAdmission.CallSlot place = running(operations);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger done = new AtomicInteger();

        SideBySide.run(20, 16, place, THREADS, _ -> {
            assertThat(running.incrementAndGet()).isEqualTo(1);
            running.decrementAndGet();
            done.incrementAndGet();
        });

        assertThat(done).hasValue(20);
    }

    @Test
    void noMoreStepsThanThreadsRunAtATime() throws Exception {
        CallAdmission operations = operations(100);
        CallAdmission.CallSlot place = running(operations);
        AtomicInteger slots = new AtomicInteger();

        SideBySide.run(50, 3, place, THREADS, _ -> slots.accumulateAndGet(operations.running(), Math::max));

        assertThat(slots.get()).isBetween(1, 3);
        assertThat(operations.running()).isEqualTo(1);
    }

    @Test
    void aStepThatFailsFailsTheCallOnceTheOthersAreOver() {
        CallAdmission operations = operations(2);
        CallAdmission.CallSlot place = running(operations);
        CountDownLatch failed = new CountDownLatch(1);
        AtomicInteger over = new AtomicInteger();

        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> SideBySide.run(2, 2, place, THREADS, i -> {
                    if (i == 0) {
                        failed.countDown();
                        throw new StorageException(StorageException.Kind.UNAVAILABLE, "away", null);
                    }
                    assertThat(failed.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                            .isTrue();
                    over.incrementAndGet();
                }));

        assertThat(over.get()).isLessThanOrEqualTo(1);
        assertThat(operations.running()).isEqualTo(1);
    }

    @Test
    void aStepThatHangsIsWaitedFor() {
        CallAdmission operations = operations(2);
        CallAdmission.CallSlot place = running(operations);
        CountDownLatch bothBegun = new CountDownLatch(2);
        CountDownLatch released = new CountDownLatch(1);

        CompletableFuture<Void> call = CompletableFuture.runAsync(
                () -> {
                    try {
                        SideBySide.run(2, 2, place, THREADS, i -> {
                            bothBegun.countDown();
                            if (i == 1) {
                                released.await();
                            } else {
                                bothBegun.await();
                                throw new StorageException(StorageException.Kind.UNAVAILABLE, "away", null);
                            }
                        });
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                },
                THREADS);
        assertThat(await(bothBegun)).isTrue();
        assertThat(call).isNotDone();

        released.countDown();

        assertThat(call).failsWithin(Patience.LIMIT);
    }

    private static boolean await(CountDownLatch latch) {
        try {
            return latch.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static CallAdmission operations(int limit) {
        return new CallAdmission(limit, 10, System::nanoTime, new SplittableRandom(1));
    }

    private static CallAdmission.CallSlot running(CallAdmission operations) {
        CallAdmission.CallSlot place = operations.place(Party.tenant("tenant"), () -> {}, _ -> {});
        assertThat(place.open()).isTrue();
        assertThat(place.run()).isTrue();
        return place;
    }
}
