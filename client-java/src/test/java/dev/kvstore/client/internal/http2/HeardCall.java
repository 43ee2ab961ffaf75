package dev.kvstore.client.internal.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** The events that the listener of a call has heard. */
final class HeardCall extends ClientCall.Listener<byte[]> {
    /** How it ended. */
    record CallEnd(Status status, Metadata trailers) {}

    private final List<byte[]> messages = new CopyOnWriteArrayList<>();
    private final CompletableFuture<CallEnd> end = new CompletableFuture<>();

    @Override
    public void onMessage(byte[] message) {
        messages.add(message);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
        assertThat(end.complete(new CallEnd(status, trailers)))
                .as("a call ends once")
                .isTrue();
    }

    List<byte[]> messages() {
        return messages;
    }

    boolean isOver() {
        return end.isDone();
    }

    CallEnd end() throws Exception {
        return end.get(60, TimeUnit.SECONDS);
    }

    Status status() throws Exception {
        return end().status();
    }
}
