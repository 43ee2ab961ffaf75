package dev.kvstore.client.internal.write;

import static dev.kvstore.client.internal.write.ObservedWriter.PART_BYTES;
import static dev.kvstore.client.internal.write.ObservedWriter.TWICE;
import static dev.kvstore.client.internal.write.ObservedWriter.result;
import static dev.kvstore.client.internal.write.ObservedWriter.sent;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.SdkBlocks;
import dev.kvstore.client.WriteResult;
import dev.kvstore.client.internal.FakeTransport.TransportCall;
import dev.kvstore.client.internal.http2.LongMessage;
import dev.kvstore.protocol.format.Crc32c;
import dev.kvstore.protocol.v1.StreamingWriteResponse;
import dev.kvstore.protocol.v1.WritePart;
import dev.kvstore.testing.Patience;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The bytes of a writer that are under way, and the room that its transport has. */
class WriterWindowTest {
    private static final int WINDOW_BYTES = 10_000;

    private static ObservedWriter observed() {
        return new ObservedWriter(WINDOW_BYTES, TWICE, "a:1");
    }

    /** A thread that writes a block, and may have to wait. */
    private static final class WritingThread {
        private final AtomicReference<@Nullable CompletableFuture<WriteResult>> future = new AtomicReference<>();
        private final CompletableFuture<@Nullable Throwable> end = new CompletableFuture<>();
        private final Thread thread;

        WritingThread(ObservedWriter observed, int block, int bytes) {
            thread = Thread.ofVirtual()
                    .start(() -> end.complete(catchThrowable(() -> future.set(observed.write(block, bytes)))));
        }

        void awaitWaiting() {
            await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
        }
    }

    @Test
    void blocksThatFillTheWindowExactlyAreTakenAtOnce() {
        try (ObservedWriter observed = observed()) {
            WritingThread first = new WritingThread(observed, 0, WINDOW_BYTES / 2);
            WritingThread second = new WritingThread(observed, 1, WINDOW_BYTES / 2);

            assertThat(first.end).succeedsWithin(Patience.LIMIT).isNull();
            assertThat(second.end).succeedsWithin(Patience.LIMIT).isNull();
        }
    }

    @Test
    void aBlockBeyondTheWindowWaitsForAResult() throws Exception {
        try (ObservedWriter observed = observed()) {
            CompletableFuture<WriteResult> first = observed.write(0, WINDOW_BYTES);
            TransportCall<LongMessage, StreamingWriteResponse> call = observed.call();
            WritingThread second = new WritingThread(observed, 1, 1);
            second.awaitWaiting();

            for (int part = 0; part < 3; part++) {
                sent(call);
            }
            call.answer(result(0, 0, WINDOW_BYTES));

            assertThat(first).succeedsWithin(Patience.LIMIT);
            assertThat(second.end).succeedsWithin(Patience.LIMIT).isNull();
        }
    }

    @Test
    void aBlockLargerThanTheWindowIsTakenWhileNothingElseIsUnderWay() {
        try (ObservedWriter observed = observed()) {
            WritingThread large = new WritingThread(observed, 0, 3 * WINDOW_BYTES);

            assertThat(large.end).succeedsWithin(Patience.LIMIT).isNull();
        }
    }

    @Test
    void aWithdrawnBlockMakesRoomForTheNext() {
        try (ObservedWriter observed = observed()) {
            CompletableFuture<WriteResult> first = observed.write(0, WINDOW_BYTES);
            WritingThread second = new WritingThread(observed, 1, 1);
            second.awaitWaiting();

            first.cancel(true);

            assertThat(second.end).succeedsWithin(Patience.LIMIT).isNull();
        }
    }

    @Test
    void whoWaitsForRoomWhenTheWriterIsClosedHearsThatItsBlockFails() {
        try (ObservedWriter observed = observed()) {
            var _ = observed.write(0, WINDOW_BYTES);
            WritingThread second = new WritingThread(observed, 1, 1);
            second.awaitWaiting();

            observed.writer.close();

            assertThat(second.end).succeedsWithin(Patience.LIMIT).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void whoIsInterruptedWhileItWaitsForRoomWritesNothing() {
        try (ObservedWriter observed = observed()) {
            var _ = observed.write(0, WINDOW_BYTES);
            WritingThread second = new WritingThread(observed, 1, 1);
            second.awaitWaiting();

            second.thread.interrupt();

            assertThat(second.end)
                    .succeedsWithin(Patience.LIMIT)
                    .isInstanceOfSatisfying(
                            KvStoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CANCELLED));
        }
    }

    @Test
    void noPartIsSentWithoutRoomInTheTransport() throws Exception {
        try (ObservedWriter observed = observed()) {
            var _ = observed.write(0, 1);
            TransportCall<LongMessage, StreamingWriteResponse> call = observed.call();
            sent(call);
            call.room(false);
            CompletableFuture<WriteResult> held = observed.write(1, 2 * PART_BYTES);
            WritingThread later = new WritingThread(observed, 2, 1);
            assertThat(later.end).succeedsWithin(Patience.LIMIT).isNull();
            call.awaitRefusedRoom();
            assertThat(call.pollSent()).isNull();

            call.room(true);

            assertThat(sent(call).getParts(0).getIndex()).isEqualTo(1);
            assertThat(held).isNotDone();
        }
    }

    @Test
    void aBlockThatIsWithdrawnWhileThereIsNoRoomIsGivenBackAtOnceAndItsPartsAreZeros() throws Exception {
        try (ObservedWriter observed = observed()) {
            var _ = observed.write(0, 1);
            TransportCall<LongMessage, StreamingWriteResponse> call = observed.call();
            sent(call);
            call.room(false);
            CompletableFuture<WriteResult> withdrawn = observed.write(1, PART_BYTES + 10);
            call.awaitRefusedRoom();

            withdrawn.cancel(true);

            await().until(withdrawn::isDone);
            var _ = observed.write(2, 1);
            call.room(true);
            assertZeros(sent(call).getParts(0), 0, PART_BYTES, false);
            assertZeros(sent(call).getParts(0), PART_BYTES, 10, true);
            assertThat(sent(call).getParts(0).getBytes().toByteArray()).isEqualTo(SdkBlocks.payload(2, 1));
        }
    }

    private static void assertZeros(WritePart part, int offset, int bytes, boolean last) {
        assertThat(part.getOffset()).isEqualTo(offset);
        assertThat(part.getLast()).isEqualTo(last);
        assertThat(part.getBytes().toByteArray()).isEqualTo(new byte[bytes]);
        assertThat(part.getCrc32C()).isEqualTo(Crc32c.of(part.getBytes().asReadOnlyByteBuffer()));
    }

    @Test
    void aProcessOwesAnAnswerOnlyWhileBlocksAreUnderWay() throws Exception {
        try (ObservedWriter observed = observed()) {
            CompletableFuture<WriteResult> first = observed.write(0, 1);
            TransportCall<LongMessage, StreamingWriteResponse> call = observed.call();
            sent(call);
            assertThat(observed.processes.owe()).isTrue();

            call.answer(result(0, 0, 1));

            assertThat(first).succeedsWithin(Patience.LIMIT);
            assertThat(observed.processes.owe()).isFalse();
            var _ = observed.write(1, 1);
            sent(call);
            assertThat(observed.processes.owe()).isTrue();
        }
    }

    @Test
    void aFinishedWriterTakesNoBlock() {
        try (ObservedWriter observed = observed()) {
            observed.writer.finish();

            assertThat(catchThrowableOfType(IllegalStateException.class, () -> observed.write(0, 1)))
                    .hasMessageContaining("open another");
        }
    }
}
