package dev.kvstore.client.internal.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvStoreException;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class UnaryCallTest {
    /** A transport's call that takes its time to end. */
    private static final class SlowCall extends ClientCall<String, String> {
        private final CompletableFuture<Listener<String>> sent = new CompletableFuture<>();
        private final CountDownLatch cancelled = new CountDownLatch(1);
        private @Nullable Listener<String> listener;

        @Override
        public void start(Listener<String> responses, Metadata headers) {
            listener = responses;
        }

        @Override
        public void request(int messages) {}

        @Override
        public void sendMessage(String message) {}

        @Override
        public void halfClose() {
            sent.complete(listener);
        }

        @Override
        public void cancel(@Nullable String message, @Nullable Throwable cause) {
            cancelled.countDown();
        }
    }

    @Test
    void whoIsInterruptedGetsBackWhatTheRequestLentWhenTheCallHasEnded() throws Exception {
        SlowCall call = new SlowCall();
        CompletableFuture<KvStoreException> failure = new CompletableFuture<>();
        Thread caller = Thread.ofVirtual()
                .start(() -> failure.complete(catchThrowableOfType(
                        KvStoreException.class, () -> new UnaryCall<String, String>().await(call, "request"))));
        ClientCall.Listener<String> listener = call.sent.get(60, TimeUnit.SECONDS);

        caller.interrupt();

        assertThat(call.cancelled.await(60, TimeUnit.SECONDS)).isTrue();
        await("the caller waits again, or is done")
                .until(() -> caller.getState() == Thread.State.WAITING || failure.isDone());
        assertThat(failure).as("before the call has ended").isNotDone();
        listener.onClose(Status.CANCELLED, new Metadata());
        assertThat(failure.get(60, TimeUnit.SECONDS).code()).isEqualTo(ErrorCode.CANCELLED);
    }
}
