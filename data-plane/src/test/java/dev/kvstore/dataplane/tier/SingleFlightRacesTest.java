package dev.kvstore.dataplane.tier;

import static dev.kvstore.testing.schedule.RacingThreads.race;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.block.Fetched;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.memory.Turn;
import dev.kvstore.testing.schedule.Schedules;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Under every schedule each caller gets an answer, and a reference of its own that nobody else gives back. */
@Tag("slow")
final class SingleFlightRacesTest {
    private final SomeBlocks some = new SomeBlocks();

    @Test
    void eachCallerGetsAReferenceOfItsOwn() {
        Schedules.explore(() -> {
            SingleFlight flights = new SingleFlight(Runnable::run);
            AtomicInteger loads = new AtomicInteger();
            SingleFlight.BlockLoader load = () -> {
                loads.incrementAndGet();
                return found();
            };

            race(() -> use(flights, load), () -> use(flights, load), () -> use(flights, load));

            assertThat(loads).hasValueBetween(1, 3);
            assertThat(some.usedBytes()).isZero();
        });
    }

    @Test
    void aCallerThatGivesUpTakesNothingFromTheOthers() {
        Schedules.explore(() -> {
            SingleFlight flights = new SingleFlight(Runnable::run);

            race(
                    () -> use(flights, this::found),
                    () -> {
                        CompletableFuture<Fetched> given = flights.load(some.key(1), Turn.NOW, this::found);
                        if (!given.cancel(false)) {
                            release(given);
                        }
                    },
                    () -> use(flights, this::found));

            assertThat(some.usedBytes()).isZero();
        });
    }

    @Test
    void aLoadThatEveryCallerGaveUpLeavesNothing() {
        Schedules.explore(() -> {
            AtomicInteger started = new AtomicInteger();
            Runnable[] loads = new Runnable[2];
            SingleFlight flights = new SingleFlight(load -> loads[started.getAndIncrement()] = load);
            SingleFlight.BlockLoader asks = () -> SingleFlight.asking(this::foundBlock);
            CompletableFuture<Fetched> first = flights.load(some.key(1), Turn.NOW, asks);
            CompletableFuture<Fetched> second = flights.load(some.key(1), Turn.NOW, asks);
            assertThat(started).hasValue(1);

            race(() -> giveUp(first), () -> giveUp(second), () -> {
                loads[0].run();
                assertThat(Thread.interrupted()).as("the thread that loaded").isFalse();
            });

            assertThat(some.usedBytes()).isZero();
        });
    }

    @Test
    void aCallerThatComesAfterABlockWasStoredFindsIt() {
        Schedules.explore(() -> {
            SingleFlight flights = new SingleFlight(Runnable::run);
            AtomicInteger stored = new AtomicInteger();
            SingleFlight.BlockLoader load = () -> stored.get() == 1 ? found() : new Fetched.Absent();

            race(() -> releaseIfFound(flights.load(some.key(1), Turn.NOW, load)), () -> {
                stored.set(1);
                flights.overtake(some.key(1));
                use(flights, load);
            });

            assertThat(some.usedBytes()).isZero();
        });
    }

    private Fetched found() throws Exception {
        return foundBlock();
    }

    private Fetched foundBlock() throws MemoryExhaustedException {
        return new Fetched.FetchedBlock(some.block(1));
    }

    private void use(SingleFlight flights, SingleFlight.BlockLoader load) {
        release(flights.load(some.key(1), Turn.NOW, load));
    }

    private static void giveUp(CompletableFuture<Fetched> asked) {
        if (!asked.cancel(false)) {
            release(asked);
        }
    }

    private static void release(CompletableFuture<Fetched> asked) {
        Fetched fetched = asked.join();
        assertThat(fetched).isInstanceOf(Fetched.FetchedBlock.class);
        releaseIfFound(asked);
    }

    private static void releaseIfFound(CompletableFuture<Fetched> asked) {
        if (asked.join() instanceof Fetched.FetchedBlock found) {
            assertThat(found.block().buffer().remaining()).isEqualTo(SomeBlocks.BUFFER_BYTES);
            found.block().release();
        }
    }
}
