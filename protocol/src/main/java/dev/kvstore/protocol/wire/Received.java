package dev.kvstore.protocol.wire;

import com.google.protobuf.MessageLite;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A message together with the network memory of which its {@code bytes} fields are views. The receiver must close it,
 * and must not use the views afterwards. Closing is idempotent and thread-safe.
 *
 * @param <M> the generated message
 */
public final class Received<M extends MessageLite> implements AutoCloseable {
    private final M message;
    private final int bytes;
    private final int fields;
    private final @Nullable String flaw;
    private final AtomicReference<@Nullable InputStream> memory;

    private Received(M message, int bytes, int fields, @Nullable String flaw, @Nullable InputStream memory) {
        this.message = message;
        this.bytes = bytes;
        this.fields = fields;
        this.flaw = flaw;
        this.memory = new AtomicReference<>(memory);
    }

    static <M extends MessageLite> Received<M> of(M message, int bytes, int fields, @Nullable InputStream memory) {
        return new Received<>(message, bytes, fields, null, memory);
    }

    /** Makes one for bytes that are not a message of this type; {@link #message} is empty then. */
    static <M extends MessageLite> Received<M> malformed(M empty, int bytes, String flaw) {
        return new Received<>(empty, bytes, 0, flaw, null);
    }

    public M message() {
        return message;
    }

    /** The length of the message on the wire. */
    public int bytes() {
        return bytes;
    }

    /**
     * The number of strings, byte strings and messages in the message itself, which take heap beside its bytes, 0 to
     * 131,072.
     */
    public int fields() {
        return fields;
    }

    /** The reason why the received bytes are not a message of this type; null if they are. */
    public @Nullable String flaw() {
        return flaw;
    }

    @Override
    public void close() {
        InputStream held = memory.getAndSet(null);
        if (held != null) {
            try {
                held.close();
            } catch (IOException e) {
                throw new UncheckedIOException("giving network memory back", e);
            }
        }
    }
}
