package dev.kvstore.client.internal.write;

import static dev.kvstore.client.internal.write.ObservedWriter.result;
import static dev.kvstore.client.internal.write.ObservedWriter.sent;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.kvstore.client.WriteResult;
import dev.kvstore.client.internal.FakeTransport.TransportCall;
import dev.kvstore.client.internal.http2.LongMessage;
import dev.kvstore.protocol.v1.StreamingWriteResponse;
import dev.kvstore.protocol.wire.WireNames;
import dev.kvstore.testing.Patience;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A writer that is finished, closed or aborted, wherever its blocks are. */
class WriterEndsTest {
    private static final int BYTES = 100;
    private static final int BLOCKS = 6;

    @Test
    void aWriterThatWroteNothingMakesNoCall() throws Exception {
        try (ObservedWriter observed = new ObservedWriter("a:1")) {
            observed.writer.finish();

            assertThat(observed.processes.poll(ObservedWriter.METHOD)).isNull();
            observed.awaitEnd();
        }
    }

    @Test
    void finishingHalfClosesTheCallOnceAndWaitsForTheResults() throws Exception {
        try (ObservedWriter observed = new ObservedWriter("a:1")) {
            CompletableFuture<WriteResult> written = observed.write(0, BYTES);
            TransportCall<LongMessage, StreamingWriteResponse> call = observed.call();
            sent(call);
            CompletableFuture<Void> finish =
                    CompletableFuture.runAsync(observed.writer::finish, Thread::startVirtualThread);
            call.awaitHalfClose();
            assertThat(finish).as("before the result").isNotDone();

            call.answer(result(0, 0, BYTES));

            assertThat(finish).succeedsWithin(Patience.LIMIT);
            assertThat(written).isCompleted();
            assertThat(call.halfCloses()).isEqualTo(1);
            observed.awaitEnd();
            assertThat(observed.processes.underWay()).isZero();
            assertThat(call.isCancelled()).isFalse();
        }
    }

    @Test
    void blocksWithoutAResultFailWhenTheWriterIsClosed() throws Exception {
        try (ObservedWriter observed = new ObservedWriter("a:1")) {
            CompletableFuture<WriteResult> answered = observed.write(0, BYTES);
            CompletableFuture<WriteResult> sent = observed.write(1, BYTES);
            TransportCall<LongMessage, StreamingWriteResponse> call = observed.call();
            sent(call);
            sent(call);
            call.answer(result(0, 0, BYTES));

            observed.writer.close();

            assertThat(answered).succeedsWithin(Patience.LIMIT);
            assertThat(sent)
                    .failsWithin(Patience.LIMIT)
                    .withThrowableThat()
                    .withMessageContaining("CANCELLED: the writer was closed");
            observed.awaitEnd();
            assertThat(call.isCancelled()).isTrue();
            assertThat(observed.processes.underWay()).isZero();
            assertThat(observed.processes.counters().ejections()).isZero();
        }
    }

    @Test
    void aWriterWhoseClientIsClosedSaysSo() throws Exception {
        try (ObservedWriter observed = new ObservedWriter("a:1")) {
            CompletableFuture<WriteResult> written = observed.write(0, BYTES);
            sent(observed.call());

            observed.writer.abort();

            assertThat(written)
                    .failsWithin(Patience.LIMIT)
                    .withThrowableThat()
                    .withMessageContaining("CANCELLED: the client is closed");
        }
    }

    @Test
    void aWriterThatFinishesAfterItsCallBrokeSendsTheRestAgain() throws Exception {
        try (ObservedWriter observed = new ObservedWriter("a:1", "b:1")) {
            CompletableFuture<WriteResult> written = observed.write(0, BYTES);
            TransportCall<LongMessage, StreamingWriteResponse> broken = observed.call();
            sent(broken);
            CompletableFuture<Void> finish =
                    CompletableFuture.runAsync(observed.writer::finish, Thread::startVirtualThread);
            broken.awaitHalfClose();

            broken.end(Status.UNAVAILABLE);

            TransportCall<LongMessage, StreamingWriteResponse> next = observed.call();
            sent(next);
            next.awaitHalfClose();
            next.answer(result(0, 0, BYTES));
            assertThat(finish).succeedsWithin(Patience.LIMIT);
            assertThat(written).isCompleted();
        }
    }

    /** The server's answers, broken calls, withdrawn blocks and the writer's end, in any order. */
    @Property(tries = 60)
    void everyFutureCompletesOnceAndNoCallStaysOpenHoweverAWriterEnds(@ForAll long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        ObservedWriter observed = new ObservedWriter("a:1", "b:1", "c:1");
        List<CompletableFuture<WriteResult>> futures = new ArrayList<>();
        List<CompletableFuture<Integer>> completions = new ArrayList<>();
        RandomServer server = new RandomServer(observed);
        for (int block = 0; block < BLOCKS; block++) {
            CompletableFuture<WriteResult> future = observed.write(block, BYTES);
            AtomicInteger completed = new AtomicInteger();
            futures.add(future);
            completions.add(future.handle((result, failure) -> completed.incrementAndGet()));
            switch (random.nextInt(5)) {
                case 0 -> futures.get(random.nextInt(futures.size())).cancel(true);
                case 1 -> server.breakCall();
                case 2, 3 -> server.answer();
                default -> {}
            }
        }
        if (random.nextBoolean()) {
            observed.writer.abort();
        } else {
            observed.writer.close();
        }

        observed.awaitEnd();
        assertThat(completions)
                .allSatisfy(
                        each -> assertThat(each).succeedsWithin(Patience.LIMIT).isEqualTo(1));
        assertThat(observed.ends()).isEqualTo(1);
        assertThat(observed.processes.underWay()).isZero();
        assertThat(observed.processes.owe()).isFalse();
        server.assertEveryCallIsOver();
    }

    /** A server that answers blocks which have arrived. */
    private static final class RandomServer {
        private final ObservedWriter observed;
        private final List<TransportCall<LongMessage, StreamingWriteResponse>> calls = new ArrayList<>();
        private int index;
        private boolean over = true;

        RandomServer(ObservedWriter observed) {
            this.observed = observed;
        }

        private @Nullable TransportCall<LongMessage, StreamingWriteResponse> call() {
            TransportCall<LongMessage, StreamingWriteResponse> next = observed.processes.poll(ObservedWriter.METHOD);
            if (next != null) {
                calls.add(next);
                index = 0;
                over = false;
            }
            return over ? null : calls.getLast();
        }

        void answer() {
            TransportCall<LongMessage, StreamingWriteResponse> call = call();
            LongMessage message = call == null ? null : call.pollSent();
            if (call == null || message == null) {
                return;
            }
            ByteString hash =
                    ObservedWriter.parsed(message).getParts(0).getHead().getHash();
            for (int block = 0; block < BLOCKS; block++) {
                if (WireNames.field(ObservedWriter.CHAIN.hash(block)).equals(hash)) {
                    call.answer(result(index++, block, BYTES));
                }
            }
        }

        void breakCall() {
            TransportCall<LongMessage, StreamingWriteResponse> call = call();
            if (call != null) {
                over = true;
                call.end(Status.UNAVAILABLE);
            }
        }

        void assertEveryCallIsOver() {
            boolean _ = call() == null;
            assertThat(calls).allSatisfy(call -> {
                assertThat(call.isOver()).isTrue();
                assertThat(call.halfCloses()).as("nobody finished the writer").isZero();
            });
        }
    }
}
