package dev.kvstore.client.internal.read;

import static dev.kvstore.client.internal.read.AnsweredRead.BYTES;
import static dev.kvstore.client.internal.read.AnsweredRead.CHAIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.kvstore.client.BlockResult;
import dev.kvstore.client.CallOptions;
import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.RetryOptions;
import dev.kvstore.client.internal.FakeProcesses;
import dev.kvstore.protocol.v1.ReadPart;
import dev.kvstore.protocol.v1.StreamingReadRequest;
import dev.kvstore.protocol.wire.KvStoreMethods.ClientMethods;
import dev.kvstore.testing.Patience;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The messages that a read requests, and the memory that it holds at its ends. */
class StreamingReadCallTest {
    private static final int MESSAGES = 4;

    private final FakeProcesses processes = new FakeProcesses(RetryOptions.DEFAULT, "a:1");
    private final LeakDetector leaks = new LeakDetector(processes.live(), dev.kvstore.client.internal.Time.SYSTEM);
    private final AtomicInteger held = new AtomicInteger();
    private StreamingReadCall read;
    private AnsweredRead answered;

    @BeforeEach
    void begin() throws InterruptedException {
        read = StreamingReadCall.start(
                processes.operation(Duration.ofMinutes(1)).begin(),
                StreamingReadRequest.getDefaultInstance(),
                new BlockAssembler(
                        IntStream.range(0, CHAIN.size())
                                .mapToObj(CHAIN::location)
                                .toList(),
                        0,
                        CallOptions.DEFAULT,
                        leaks,
                        processes.live()),
                MESSAGES,
                65_535);
        answered = new AnsweredRead(processes.next(ClientMethods.STREAMING_READ), held);
    }

    private CompletableFuture<@Nullable BlockResult> taking() {
        CompletableFuture<@Nullable BlockResult> taken = new CompletableFuture<>();
        Thread.startVirtualThread(() -> {
            try {
                taken.complete(read.take());
            } catch (InterruptedException e) {
                taken.completeExceptionally(e);
            }
        });
        return taken;
    }

    @Test
    void aReaderThatTakesNothingRequestsNoMoreThanAtFirst() {
        for (int block = 0; block < MESSAGES; block++) {
            answered.send(block, block);
        }

        assertThat(answered.call().requested()).isEqualTo(MESSAGES);
    }

    @Test
    void halfOfTheMessagesAreRequestedAgainOnceTheyAreTaken() throws Exception {
        for (int block = 0; block < MESSAGES; block++) {
            answered.send(block, block);
        }

        AnsweredRead.close(read.take());
        assertThat(answered.call().requested()).isEqualTo(MESSAGES);
        AnsweredRead.close(read.take());
        assertThat(answered.call().requested()).isEqualTo(MESSAGES + MESSAGES / 2);
    }

    @Test
    void aReaderThatHasTakenAllHasPaidForAllMessages() throws Exception {
        answered.send(0, 0, 1, 2);
        for (int block = 0; block < 3; block++) {
            AnsweredRead.close(read.take());
        }

        CompletableFuture<@Nullable BlockResult> next = taking();
        await().until(() -> answered.call().requested() == MESSAGES + 1);
        answered.send(3, 3);
        assertThat(next).succeedsWithin(Patience.LIMIT);
        assertThat(answered.call().requested()).isEqualTo(MESSAGES + 1);
        AnsweredRead.close(next.join());
    }

    @Test
    void aBlockOfMoreMessagesThanTheReadHasIsLetInWhileNothingElseWaits() throws Exception {
        List<ReadPart> parts = AnsweredRead.parts(0, 0, BYTES / 10);
        for (int i = 0; i < parts.size(); i++) {
            answered.send(parts.get(i));
            assertThat(answered.call().requested()).as("room for the next part").isGreaterThan(i);
        }

        assertThat(held).hasValue(parts.size());
        AnsweredRead.close(read.take());
        assertThat(held).hasValue(0);
    }

    @Test
    void aBlockOfManyMessagesWaitsWhileAnotherIsNotTaken() {
        answered.send(0, 0);
        AnsweredRead.parts(1, 1, BYTES / 10).stream().limit(MESSAGES - 1).forEach(answered::send);

        assertThat(answered.call().requested()).isEqualTo(MESSAGES);
    }

    @Test
    void theProcessOwesAnAnswerOnlyWhileTheReaderWaits() throws Exception {
        assertThat(processes.owe()).isFalse();
        CompletableFuture<@Nullable BlockResult> taken = taking();
        await().until(processes::owe);

        answered.send(0, 0);

        assertThat(taken).succeedsWithin(Patience.LIMIT);
        assertThat(processes.owe()).isFalse();
        AnsweredRead.close(taken.join());
    }

    @Test
    void aReaderThatLeavesHoldsNothingOfWhatHasComeOrComesLater() {
        answered.send(0, 0);
        answered.send(AnsweredRead.parts(1, 1, BYTES / 2).get(0));
        assertThat(held).hasValue(2);

        read.abandon(true);
        answered.send(2, 2);

        assertThat(held).hasValue(0);
        assertThat(processes.counters().damagedBlocks()).isZero();
    }

    @Test
    void aReaderThatLeavesBeforeTheTrailersCountsNoDamage() {
        answered.send(0, 0);

        read.abandon(false);
        answered.call().end(Status.OK);

        assertThat(held).hasValue(0);
        assertThat(processes.counters().damagedBlocks()).isZero();
    }

    @Test
    void halfABlockIsGivenBackWhenTheCallBreaks() throws Exception {
        answered.send(AnsweredRead.parts(0, 0, BYTES / 2).get(0));

        answered.call().end(Status.UNAVAILABLE);

        assertThat(read.take()).isNull();
        assertThat(Objects.requireNonNull(read.failure()).code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(held).hasValue(0);
        assertThat(processes.underWay()).isZero();
    }

    @Test
    void blocksThatCameBeforeTheCallBrokeAreDelivered() throws Exception {
        answered.send(0, 0);
        answered.call().end(Status.UNAVAILABLE);

        AnsweredRead.close(read.take());
        assertThat(read.take()).isNull();
    }

    @Test
    void bytesThatAreNoAnswerEndTheCallAsAnErrorOfTheServer() throws Exception {
        answered.sendBytes(new byte[] {(byte) 0xFF, 1, 2});
        answered.send(0, 0);

        assertThat(answered.call().isCancelled()).isTrue();
        assertThat(read.take()).isNull();
        assertThat(Objects.requireNonNull(read.failure()).code()).isEqualTo(ErrorCode.INTERNAL);
        assertThat(held).hasValue(0);
    }

    @Test
    void aBlockThatWasNotRequestedEndsTheCallAsAnErrorOfTheServer() throws Exception {
        answered.send(CHAIN.size(), 0);

        assertThat(answered.call().isCancelled()).isTrue();
        assertThat(read.take()).isNull();
        assertThat(read.failure()).hasMessageContaining("INTERNAL: the server sent block 6 of 6");
        assertThat(held).hasValue(0);
    }

    @Test
    void aReaderThatIsInterruptedStopsWaiting() {
        CompletableFuture<Thread> reader = new CompletableFuture<>();
        CompletableFuture<@Nullable BlockResult> taken = CompletableFuture.supplyAsync(
                () -> {
                    reader.complete(Thread.currentThread());
                    try {
                        return read.take();
                    } catch (InterruptedException e) {
                        throw new CompletionException(e);
                    }
                },
                Thread::startVirtualThread);
        await().until(processes::owe);

        reader.join().interrupt();

        assertThatThrownBy(taken::join).hasCauseInstanceOf(InterruptedException.class);
        assertThat(processes.owe()).isFalse();
    }
}
