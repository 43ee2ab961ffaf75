package dev.kvstore.client.internal.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.internal.CountedAnswer;
import dev.kvstore.client.internal.FakeTransport;
import dev.kvstore.client.internal.FakeTransport.TransportCall;
import dev.kvstore.protocol.answer.v1.AnswerChunk;
import dev.kvstore.protocol.answer.v1.ReadAnswer;
import dev.kvstore.protocol.v1.ReadRequest;
import dev.kvstore.protocol.wire.KvStoreMethods.ClientMethods;
import dev.kvstore.protocol.wire.Received;
import dev.kvstore.testing.Patience;
import io.grpc.CallOptions;
import io.grpc.Status;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The answers to a call with one request, and the memory that they hold. */
class UnaryAnswersTest {
    private static final byte[] ANSWER = ReadAnswer.newBuilder()
            .setChunk(AnswerChunk.newBuilder().setWriter("somebody"))
            .build()
            .toByteArray();

    private final AtomicInteger held = new AtomicInteger();

    /** A call that waits for its answer on a thread of its own. */
    private final class AwaitedAnswer {
        private final TransportCall<ReadRequest, Received<ReadAnswer>> call =
                (TransportCall<ReadRequest, Received<ReadAnswer>>)
                        new FakeTransport().newCall(ClientMethods.READ, CallOptions.DEFAULT);
        private final CompletableFuture<@Nullable Throwable> failure = new CompletableFuture<>();
        private @Nullable Received<ReadAnswer> answer;
        private final Thread thread = Thread.ofVirtual()
                .start(() -> failure.complete(
                        catchThrowable(() -> answer = new UnaryCall<ReadRequest, Received<ReadAnswer>>()
                                .await(call, ReadRequest.getDefaultInstance()))));

        AwaitedAnswer() {
            try {
                call.awaitHalfClose();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }

        void arrive() {
            call.answer(ClientMethods.READ.parseResponse(new CountedAnswer(ANSWER, held)));
        }

        void assertFailed(ErrorCode code, String message) {
            assertThat(failure).succeedsWithin(Patience.LIMIT).isInstanceOfSatisfying(KvStoreException.class, e -> {
                assertThat(e.code()).isEqualTo(code);
                assertThat(e).hasMessageContaining(message);
            });
            assertThat(held).hasValue(0);
        }
    }

    @Test
    void theAnswerIsItsCallersToClose() {
        AwaitedAnswer awaited = new AwaitedAnswer();
        awaited.arrive();
        awaited.call.end(Status.OK);

        assertThat(awaited.failure).succeedsWithin(Patience.LIMIT).isNull();
        assertThat(held).hasValue(1);
        Objects.requireNonNull(awaited.answer).close();
        assertThat(held).hasValue(0);
    }

    @Test
    void aSecondAnswerIsGivenBackAndTheFirstCounts() {
        AwaitedAnswer awaited = new AwaitedAnswer();
        awaited.arrive();
        awaited.arrive();
        assertThat(held).hasValue(1);
        awaited.call.end(Status.OK);

        assertThat(awaited.failure).succeedsWithin(Patience.LIMIT).isNull();
    }

    @Test
    void anAnswerBeforeAFailureIsGivenBack() {
        AwaitedAnswer awaited = new AwaitedAnswer();
        awaited.arrive();
        awaited.call.end(Status.DATA_LOSS.withDescription("half of it"));

        awaited.assertFailed(ErrorCode.DATA_LOSS, "half of it");
    }

    @Test
    void aGoodEndWithoutAnAnswerIsAnErrorOfTheServer() {
        AwaitedAnswer awaited = new AwaitedAnswer();
        awaited.call.end(Status.OK);

        awaited.assertFailed(ErrorCode.INTERNAL, "the server sent no answer");
    }

    @Test
    void aFailureWithoutAnAnswerIsTheServers() {
        AwaitedAnswer awaited = new AwaitedAnswer();
        awaited.call.end(Status.NOT_FOUND.withDescription("not here"));

        awaited.assertFailed(ErrorCode.NOT_FOUND, "not here");
    }

    @Test
    void theAnswerToACallerThatWasInterruptedIsGivenBack() {
        AwaitedAnswer awaited = new AwaitedAnswer();
        awaited.arrive();

        awaited.thread.interrupt();

        awaited.assertFailed(ErrorCode.CANCELLED, "interrupted");
        assertThat(awaited.call.isCancelled()).isTrue();
    }

    @Test
    void roomForTwoAnswersIsAskedForSoThatASecondIsNoticed() {
        assertThat(new AwaitedAnswer().call.requested()).isEqualTo(2);
    }

    @Test
    void aRequestThatCannotBeSentCancelsTheCall() {
        TransportCall<ReadRequest, Received<ReadAnswer>> call = (TransportCall<ReadRequest, Received<ReadAnswer>>)
                new FakeTransport().newCall(ClientMethods.READ, CallOptions.DEFAULT);
        call.failNext(new OutOfMemoryError("for once"));

        Throwable failure = catchThrowable(
                () -> new UnaryCall<ReadRequest, Received<ReadAnswer>>().await(call, ReadRequest.getDefaultInstance()));

        assertThat(failure).isInstanceOf(OutOfMemoryError.class);
        assertThat(call.isCancelled()).isTrue();
    }

    /** 0 is an answer, 1 an interruption, 2 a good end, 3 a failure. */
    @Property(tries = 100)
    void atMostOneAnswerIsHeldAndOnlyByItsCaller(@ForAll @Size(max = 5) List<@IntRange(max = 3) Integer> steps) {
        held.set(0);
        AwaitedAnswer awaited = new AwaitedAnswer();
        for (int step : steps) {
            switch (step) {
                case 0 -> {
                    if (!awaited.call.isOver()) {
                        awaited.arrive();
                    }
                }
                case 1 -> {
                    awaited.thread.interrupt();
                    assertThat(awaited.failure).succeedsWithin(Patience.LIMIT);
                }
                case 2 -> awaited.call.end(Status.OK);
                default -> awaited.call.end(Status.UNKNOWN);
            }
        }
        awaited.call.end(Status.UNAVAILABLE);
        assertThat(awaited.failure).succeedsWithin(Patience.LIMIT);
        Received<ReadAnswer> answer = awaited.answer;
        assertThat(held).hasValue(answer == null ? 0 : 1);
        if (answer != null) {
            answer.close();
        }
        assertThat(held).hasValue(0);
    }
}
