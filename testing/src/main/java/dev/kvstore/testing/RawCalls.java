package dev.kvstore.testing;

import com.google.protobuf.ByteString;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Makes calls with any bytes as messages, any number of them, and any credential. Thread-safe. */
public final class RawCalls implements AutoCloseable {
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    private static final int LONGEST_ANSWER = 70 * 1024 * 1024;
    private static final int MOST_ANSWERS = 1_000_000;
    private static final Duration PATIENCE = Patience.LIMIT;
    private static final MethodDescriptor.Marshaller<ByteString> BYTES = new ByteStringMarshaller();

    private final ManagedChannel channel;

    /**
     * Makes calls to an endpoint, without connecting yet.
     *
     * @param endpoint host:port, in clear
     */
    public RawCalls(String endpoint) {
        this.channel = ManagedChannelBuilder.forTarget(endpoint)
                .usePlaintext()
                .maxInboundMessageSize(LONGEST_ANSWER)
                .build();
    }

    private static final class ByteStringMarshaller implements MethodDescriptor.Marshaller<ByteString> {
        @Override
        public InputStream stream(ByteString value) {
            return new ByteArrayInputStream(value.toByteArray());
        }

        @Override
        public ByteString parse(InputStream stream) {
            try {
                return ByteString.readFrom(stream);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** The header of a credential; none if it is null. */
    public static Metadata headers(@Nullable String authorization) {
        Metadata headers = new Metadata();
        if (authorization != null) {
            headers.put(AUTHORIZATION, authorization);
        }
        return headers;
    }

    /** Sends all messages, ends the request, and waits for the end. */
    public Reply call(MethodDescriptor<?, ?> method, Metadata headers, List<ByteString> messages) {
        return call(method, headers, messages, PATIENCE);
    }

    /** Sends all messages, and waits for the end for at most {@code patience}; then it cancels the call. */
    public Reply call(MethodDescriptor<?, ?> method, Metadata headers, List<ByteString> messages, Duration patience) {
        return call(method, headers, messages, MOST_ANSWERS, patience);
    }

    /** Sends all messages, and waits for the end, for {@code answers} answers, or at most for {@code patience}. */
    public Reply call(
            MethodDescriptor<?, ?> method,
            Metadata headers,
            List<ByteString> messages,
            int answers,
            Duration patience) {
        ClientCall<ByteString, ByteString> call = channel.newCall(
                method.toBuilder(BYTES, BYTES).build(), CallOptions.DEFAULT.withDeadlineAfter(patience));
        Collector collector = new Collector(answers, () -> call.cancel("no more answers are wanted", null));
        call.start(collector, headers);
        call.request(MOST_ANSWERS);
        messages.forEach(call::sendMessage);
        call.halfClose();
        return collector.reply.join();
    }

    private static final class Collector extends ClientCall.Listener<ByteString> {
        final CompletableFuture<Reply> reply = new CompletableFuture<>();
        private final List<ByteString> messages = new ArrayList<>();
        private final int wanted;
        private final Runnable leave;
        private Metadata headers = new Metadata();

        Collector(int wanted, Runnable leave) {
            this.wanted = wanted;
            this.leave = leave;
        }

        @Override
        public void onHeaders(Metadata received) {
            headers = received;
        }

        @Override
        public void onMessage(ByteString message) {
            messages.add(message);
            if (messages.size() == wanted) {
                leave.run();
            }
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            reply.complete(Reply.of(status, headers, trailers, messages));
        }
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
