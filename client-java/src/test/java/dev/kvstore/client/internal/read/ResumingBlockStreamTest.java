package dev.kvstore.client.internal.read;

import static dev.kvstore.client.internal.read.AnsweredRead.CHAIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvstore.client.BlockResult;
import dev.kvstore.client.CallOptions;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.RetryOptions;
import dev.kvstore.client.internal.FakeProcesses;
import dev.kvstore.client.internal.ReadMemory;
import dev.kvstore.client.internal.Time;
import dev.kvstore.protocol.block.Location;
import dev.kvstore.protocol.v1.StreamingReadRequest;
import dev.kvstore.protocol.wire.KvStoreMethods.ClientMethods;
import dev.kvstore.protocol.wire.WireNames;
import dev.kvstore.testing.Patience;
import io.grpc.Status;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A read whose calls break, and its share of memory at each end. */
class ResumingBlockStreamTest {
    private static final RetryOptions TWICE =
            new RetryOptions(2, Duration.ofMillis(50), Duration.ofSeconds(2), 100, 1000);
    private static final CallOptions WISHES =
            CallOptions.DEFAULT.withWriters("writer-1").withExpectedBytes(AnsweredRead.BYTES);
    private static final List<Location> LOCATIONS =
            IntStream.range(0, CHAIN.size()).mapToObj(CHAIN::location).toList();

    private final ReadMemory memory = new ReadMemory(100 << 20);
    private final AtomicInteger held = new AtomicInteger();

    private ResumingBlockStream read(FakeProcesses processes, CallOptions wishes) {
        return new ResumingBlockStream(
                LOCATIONS,
                wishes,
                FakeProcesses.options(4096, 64 * 1024, 1),
                processes.operation(Duration.ofMinutes(1)),
                new LeakDetector(processes.live(), Time.SYSTEM),
                processes.live(),
                memory);
    }

    private AnsweredRead answered(FakeProcesses processes) throws InterruptedException {
        return new AnsweredRead(processes.next(ClientMethods.STREAMING_READ), held);
    }

    private static CompletableFuture<@Nullable BlockResult> next(ResumingBlockStream stream) {
        return CompletableFuture.supplyAsync(stream::next, Thread::startVirtualThread);
    }

    @Test
    void aReadThatBreaksAsksElsewhereForTheRestWithTheSameWishes() throws Exception {
        FakeProcesses processes = new FakeProcesses(TWICE, "a:1", "b:1");
        ResumingBlockStream stream = read(processes, WISHES);
        AnsweredRead broken = answered(processes);
        StreamingReadRequest first = broken.call().nextSent();
        assertThat(first.getLocationsList())
                .isEqualTo(LOCATIONS.stream().map(WireNames::field).toList());
        broken.send(0, 0, 1);
        assertThat(stream.next()).as("another writer's").isInstanceOf(BlockResult.Missing.class);
        assertThat(stream.next()).isInstanceOf(BlockResult.Missing.class);
        broken.call().end(Status.UNAVAILABLE);

        CompletableFuture<@Nullable BlockResult> third = next(stream);

        StreamingReadRequest second = answered(processes).call().nextSent();
        assertThat(second)
                .isEqualTo(first.toBuilder()
                        .clearLocations()
                        .addAllLocations(first.getLocationsList().subList(2, LOCATIONS.size()))
                        .build());
        assertThat(second.getWritersList()).containsExactly("writer-1");
        assertThat(second.getExpectedBytes()).isEqualTo(AnsweredRead.BYTES);
        stream.close();
        assertThat(third).failsWithin(Patience.LIMIT);
    }

    @Test
    void blocksOfALaterCallHaveTheIndicesOfTheRead() throws Exception {
        FakeProcesses processes = new FakeProcesses(TWICE, "a:1", "b:1");
        try (ResumingBlockStream stream = read(processes, CallOptions.DEFAULT)) {
            AnsweredRead broken = answered(processes);
            broken.send(0, 0, 1);
            broken.call().end(Status.UNAVAILABLE);
            assertThat(AnsweredRead.close(stream.next())).isEqualTo(0);
            assertThat(AnsweredRead.close(stream.next())).isEqualTo(1);
            CompletableFuture<@Nullable BlockResult> third = next(stream);

            answered(processes).send(0, 2);

            assertThat(third).succeedsWithin(Patience.LIMIT);
            assertThat(AnsweredRead.close(third.join())).isEqualTo(2);
            assertThat(processes.counters().retries()).isEqualTo(1);
        }
        assertNothingHeld(processes);
    }

    @Test
    void attemptsCountAnewAfterEachBlock() throws Exception {
        FakeProcesses processes = new FakeProcesses(TWICE, "a:1");
        try (ResumingBlockStream stream = read(processes, CallOptions.DEFAULT)) {
            for (int block = 0; block < CHAIN.size(); block++) {
                CompletableFuture<@Nullable BlockResult> taken = next(stream);
                AnsweredRead answered = answered(processes);
                answered.send(0, block);
                assertThat(taken).succeedsWithin(Patience.LIMIT);
                assertThat(AnsweredRead.close(taken.join())).isEqualTo(block);
                answered.call().end(Status.RESOURCE_EXHAUSTED);
            }
            assertThat(stream.next()).isNull();
            assertThat(processes.counters().retries()).isEqualTo(CHAIN.size() - 1);
        }
        assertNothingHeld(processes);
    }

    @Test
    void aReadThatFailsTooOftenGivesItsShareBackAndKeepsItsFailure() throws Exception {
        FakeProcesses processes = new FakeProcesses(TWICE, "a:1");
        ResumingBlockStream stream = read(processes, CallOptions.DEFAULT);
        CompletableFuture<@Nullable BlockResult> taken = next(stream);
        for (int attempt = 0; attempt < 2; attempt++) {
            answered(processes).call().end(Status.RESOURCE_EXHAUSTED);
        }

        assertThat(taken).failsWithin(Patience.LIMIT).withThrowableThat().withMessageContaining("RESOURCE_EXHAUSTED");
        assertNothingHeld(processes);
        assertThatThrownBy(stream::next).hasMessageContaining("RESOURCE_EXHAUSTED");
    }

    @Test
    void aReadWhoseBlocksAreAllTakenGivesItsShareBackBeforeItIsClosed() throws Exception {
        FakeProcesses processes = new FakeProcesses(TWICE, "a:1");
        ResumingBlockStream stream = read(processes, CallOptions.DEFAULT);
        assertThat(memory.shared()).isPositive();
        AnsweredRead answered = answered(processes);
        answered.send(0, 0, 1, 2, 3, 4, 5);
        for (int block = 0; block < CHAIN.size(); block++) {
            AnsweredRead.close(stream.next());
        }

        assertThat(stream.next()).isNull();

        assertNothingHeld(processes);
        assertThat(answered.call().isCancelled())
                .as("its trailers are still to come")
                .isFalse();
    }

    @Test
    void aReadThatIsClosedGivesItsShareAndItsBlocksBack() throws Exception {
        FakeProcesses processes = new FakeProcesses(TWICE, "a:1");
        ResumingBlockStream stream = read(processes, CallOptions.DEFAULT);
        AnsweredRead answered = answered(processes);
        answered.send(0, 0, 1);
        answered.send(2, 2);
        AnsweredRead.close(stream.next());

        stream.close();
        stream.close();

        assertNothingHeld(processes);
        assertThat(answered.call().isCancelled()).isTrue();
        assertThatThrownBy(stream::next).isInstanceOf(KvStoreException.class).hasMessageContaining("CANCELLED");
    }

    @Test
    void aReadThatCannotBeginHoldsNoShare() {
        FakeProcesses processes = new FakeProcesses(TWICE, "a:1");
        processes.close();

        assertThatThrownBy(() -> read(processes, CallOptions.DEFAULT)).hasMessageContaining("the client is closed");

        assertThat(memory.shared()).isZero();
    }

    @Test
    void anIteratorIsAtItsEndAfterTheLastBlock() throws Exception {
        FakeProcesses processes = new FakeProcesses(TWICE, "a:1");
        try (ResumingBlockStream stream = read(processes, CallOptions.DEFAULT)) {
            answered(processes).send(0, 0, 1, 2, 3, 4, 5);
            Iterator<BlockResult> results = stream.iterator();
            for (int block = 0; block < CHAIN.size(); block++) {
                assertThat(results.hasNext()).isTrue();
                assertThat(results.hasNext()).as("asking takes nothing").isTrue();
                assertThat(AnsweredRead.close(results.next())).isEqualTo(block);
            }
            assertThat(results.hasNext()).isFalse();
            assertThatThrownBy(results::next).isInstanceOf(NoSuchElementException.class);
        }
        assertNothingHeld(processes);
    }

    /** Answers, broken calls and readers that look ahead or leave, in any order. */
    @Property(tries = 100)
    void nothingIsHeldHoweverAReadEnds(@ForAll long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        FakeProcesses processes = new FakeProcesses(TWICE, "a:1", "b:1");
        ResumingBlockStream stream = read(processes, CallOptions.DEFAULT);
        AnsweredRead answered = answered(processes);
        int sent = random.nextInt(CHAIN.size() + 1);
        for (int block = 0; block < sent; block++) {
            answered.send(block, block);
        }
        if (sent < CHAIN.size() && random.nextBoolean()) {
            answered.send(AnsweredRead.parts(sent, sent, 30).get(0));
        }
        Iterator<BlockResult> results = stream.iterator();
        for (int taken = 0; taken < sent && random.nextInt(4) > 0; taken++) {
            if (random.nextBoolean()) {
                assertThat(results.hasNext()).isTrue();
            }
            AnsweredRead.close(results.next());
        }
        if (random.nextBoolean() && sent == CHAIN.size()) {
            boolean _ = results.hasNext();
        }
        switch (random.nextInt(3)) {
            case 0 -> answered.call().end(Status.UNAVAILABLE);
            case 1 -> answered.call().end(Status.OK);
            default -> {}
        }

        stream.close();

        assertNothingHeld(processes);
    }

    private void assertNothingHeld(FakeProcesses processes) {
        assertThat(memory.shared()).as("shares of reads").isZero();
        assertThat(held).as("messages that were not closed").hasValue(0);
        assertThat(processes.underWay()).as("open calls").isZero();
    }
}
