package dev.kvstore.client.internal.write;

import static dev.kvstore.client.internal.write.ObservedWriter.result;
import static dev.kvstore.client.internal.write.ObservedWriter.sent;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.client.WriteResult;
import dev.kvstore.client.internal.FakeTransport.TransportCall;
import dev.kvstore.client.internal.http2.LongMessage;
import dev.kvstore.protocol.v1.StreamingWriteRequest;
import dev.kvstore.protocol.v1.StreamingWriteResponse;
import dev.kvstore.protocol.wire.WireNames;
import dev.kvstore.testing.Patience;
import io.grpc.Status;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls that break under a writer, or whose server breaks the protocol. */
class BrokenWriteCallTest {
    private static final int BYTES = 100;

    @Test
    void blocksWithoutAResultGoElsewhereInTheirOrder() throws Exception {
        try (ObservedWriter observed = new ObservedWriter("a:1", "b:1")) {
            CompletableFuture<WriteResult> first = observed.write(0, BYTES);
            CompletableFuture<WriteResult> second = observed.write(1, BYTES);
            CompletableFuture<WriteResult> third = observed.write(2, BYTES);
            TransportCall<LongMessage, StreamingWriteResponse> broken = observed.call();
            for (int i = 0; i < 3; i++) {
                sent(broken);
            }
            broken.answer(result(0, 0, BYTES));

            broken.end(Status.UNAVAILABLE);

            TransportCall<LongMessage, StreamingWriteResponse> next = observed.call();
            for (int i = 0; i < 2; i++) {
                StreamingWriteRequest request = sent(next);
                assertThat(request.getParts(0).getIndex()).as("counted anew").isEqualTo(i);
                assertThat(request.getParts(0).getHead().getHash())
                        .isEqualTo(WireNames.field(ObservedWriter.CHAIN.hash(i + 1)));
                assertThat(request.getPartition().isEmpty())
                        .as("a call is told its partition once")
                        .isEqualTo(i > 0);
                next.answer(result(i, i + 1, BYTES));
            }
            assertThat(first).succeedsWithin(Patience.LIMIT);
            assertThat(second).succeedsWithin(Patience.LIMIT);
            assertThat(third).succeedsWithin(Patience.LIMIT);
            assertThat(observed.processes.counters().retries()).isEqualTo(1);
        }
    }

    @Test
    void aBlockThatWasWithdrawnIsNotSentAgain() throws Exception {
        try (ObservedWriter observed = new ObservedWriter("a:1", "b:1")) {
            CompletableFuture<WriteResult> withdrawn = observed.write(0, BYTES);
            CompletableFuture<WriteResult> kept = observed.write(1, BYTES);
            TransportCall<LongMessage, StreamingWriteResponse> broken = observed.call();
            sent(broken);
            sent(broken);
            withdrawn.cancel(true);

            broken.end(Status.UNAVAILABLE);

            TransportCall<LongMessage, StreamingWriteResponse> next = observed.call();
            assertThat(sent(next).getParts(0).getHead().getHash())
                    .isEqualTo(WireNames.field(ObservedWriter.CHAIN.hash(1)));
            next.answer(result(0, 1, BYTES));
            assertThat(kept).succeedsWithin(Patience.LIMIT);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, -1})
    void aResultThatIsNotDueFailsTheWriter(int index) throws Exception {
        try (ObservedWriter observed = new ObservedWriter("a:1", "b:1")) {
            CompletableFuture<WriteResult> first = observed.write(0, BYTES);
            CompletableFuture<WriteResult> second = observed.write(1, BYTES);
            TransportCall<LongMessage, StreamingWriteResponse> call = observed.call();
            sent(call);
            sent(call);

            call.answer(result(index, 0, BYTES));

            assertThat(call.isCancelled()).isTrue();
            assertFailed(first, "INTERNAL: the server answered for block " + Integer.toUnsignedString(index));
            assertFailed(second, "where 0 was due");
        }
    }

    @Test
    void aResultThatComesTwiceFailsTheBlocksAfterIt() throws Exception {
        try (ObservedWriter observed = new ObservedWriter("a:1", "b:1")) {
            CompletableFuture<WriteResult> first = observed.write(0, BYTES);
            CompletableFuture<WriteResult> second = observed.write(1, BYTES);
            TransportCall<LongMessage, StreamingWriteResponse> call = observed.call();
            sent(call);
            sent(call);
            call.answer(result(0, 0, BYTES));

            call.answer(result(0, 0, BYTES));

            assertThat(first).succeedsWithin(Patience.LIMIT);
            assertFailed(second, "where 1 was due");
        }
    }

    @Test
    void aResultOfABlockThatWasNotSentFailsTheWriter() throws Exception {
        try (ObservedWriter observed = new ObservedWriter("a:1", "b:1")) {
            CompletableFuture<WriteResult> first = observed.write(0, BYTES);
            TransportCall<LongMessage, StreamingWriteResponse> call = observed.call();
            sent(call);
            call.answer(result(0, 0, BYTES));
            assertThat(first).succeedsWithin(Patience.LIMIT);

            call.answer(result(1, 1, BYTES));

            assertThat(call.isCancelled()).isTrue();
        }
    }

    @Test
    void resultsAfterTheFirstMistakeAreNotBelieved() throws Exception {
        try (ObservedWriter observed = new ObservedWriter("a:1")) {
            CompletableFuture<WriteResult> only = observed.write(0, BYTES);
            TransportCall<LongMessage, StreamingWriteResponse> call = observed.call();
            sent(call);
            call.answer(result(5, 0, BYTES));

            call.answer(result(0, 0, BYTES));

            assertFailed(only, "where 0 was due");
        }
    }

    @Test
    void aServerThatEndsWellWithoutAllResultsHasBrokenTheProtocol() throws Exception {
        try (ObservedWriter observed = new ObservedWriter("a:1", "b:1")) {
            CompletableFuture<WriteResult> only = observed.write(0, BYTES);
            TransportCall<LongMessage, StreamingWriteResponse> call = observed.call();
            sent(call);

            call.end(Status.OK);

            assertFailed(only, "INTERNAL: the server left blocks without a result");
        }
    }

    @Test
    void aCallThatBreaksWhileNothingIsUnderWayIsReplacedWhenTheNextBlockComes() throws Exception {
        try (ObservedWriter observed = new ObservedWriter("a:1")) {
            for (int block = 0; block < 6; block++) {
                CompletableFuture<WriteResult> written = observed.write(block, BYTES);
                TransportCall<LongMessage, StreamingWriteResponse> call = observed.call();
                assertThat(sent(call).getParts(0).getIndex()).isZero();
                call.answer(result(0, block, BYTES));
                assertThat(written).succeedsWithin(Patience.LIMIT);
                call.end(Status.UNAVAILABLE);
            }
        }
    }

    @Test
    void attemptsCountAnewAfterEachResult() throws Exception {
        try (ObservedWriter observed = new ObservedWriter("a:1")) {
            CompletableFuture<?>[] results = new CompletableFuture<?>[6];
            for (int block = 0; block < 6; block++) {
                results[block] = observed.write(block, BYTES);
            }
            for (int block = 0; block < 6; block++) {
                TransportCall<LongMessage, StreamingWriteResponse> call = observed.call();
                for (int left = block; left < 6; left++) {
                    sent(call);
                }
                call.answer(result(0, block, BYTES));
                call.end(Status.RESOURCE_EXHAUSTED);
            }
            assertThat(results).allSatisfy(each -> assertThat(each).succeedsWithin(Patience.LIMIT));
            assertThat(observed.processes.counters().retries()).isEqualTo(5);
        }
    }

    @Test
    void withoutResultsTheAttemptsAreLimited() throws Exception {
        try (ObservedWriter observed = new ObservedWriter("a:1")) {
            CompletableFuture<WriteResult> only = observed.write(0, BYTES);
            for (int attempt = 0; attempt < 2; attempt++) {
                TransportCall<LongMessage, StreamingWriteResponse> call = observed.call();
                sent(call);
                call.end(Status.RESOURCE_EXHAUSTED);
            }
            assertFailed(only, "RESOURCE_EXHAUSTED");
            assertThat(observed.processes.counters().retries()).isEqualTo(1);
        }
    }

    private static void assertFailed(CompletableFuture<?> future, String message) {
        assertThat(future).failsWithin(Patience.LIMIT).withThrowableThat().withMessageContaining(message);
    }
}
