package dev.kvstore.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The answer of a server to a call.
 *
 * @param status the status at its end
 * @param details the {@code google.rpc.Status} that came with it; empty for none
 * @param metadata the names of headers and trailers
 * @param messages the messages in order
 */
public record Reply(
        Status status, com.google.rpc.Status details, SortedSet<String> metadata, List<ByteString> messages) {
    private static final Metadata.Key<byte[]> DETAILS =
            Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);

    public Reply {
        messages = List.copyOf(messages);
    }

    static Reply of(Status status, Metadata headers, Metadata trailers, List<ByteString> messages) {
        SortedSet<String> names = new TreeSet<>(headers.keys());
        names.addAll(trailers.keys());
        byte[] details = trailers.get(DETAILS);
        try {
            return new Reply(
                    status,
                    details == null
                            ? com.google.rpc.Status.getDefaultInstance()
                            : com.google.rpc.Status.parseFrom(details),
                    names,
                    messages);
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError("the details are no google.rpc.Status", e);
        }
    }

    public Status.Code code() {
        return status.getCode();
    }

    /** Whether the messages contain these bytes. */
    public boolean holds(byte[] bytes) {
        String wanted = new String(bytes, ISO_8859_1);
        return messages.stream().anyMatch(message -> new String(message.toByteArray(), ISO_8859_1).contains(wanted));
    }
}
