package dev.kvstore.control.resolve;

import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.Drainable;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.KnownLength;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/**
 * Refuses, as the sender's error, a message that cannot be parsed and a unary call with no message or several. gRPC
 * itself would treat them as a failure of the server, and log a stack trace. Stateless.
 */
public final class OneMessage implements ServerInterceptor {
    private OneMessage() {}

    /** Reads and writes a message without buffers between, since its length is known. */
    private static final class MessageMarshaller extends ByteArrayInputStream implements KnownLength, Drainable {
        MessageMarshaller(byte[] bytes) {
            super(bytes);
        }

        @Override
        public int drainTo(OutputStream target) throws IOException {
            return (int) transferTo(target);
        }
    }

    /**
     * A marshaller that does not parse messages. It copies their bytes at once: the buffer that gRPC lends is gone in
     * another thread.
     */
    private enum Unread implements MethodDescriptor.Marshaller<InputStream> {
        BYTES;

        @Override
        public InputStream stream(InputStream message) {
            return message;
        }

        @Override
        public InputStream parse(InputStream message) {
            try {
                return new MessageMarshaller(
                        message instanceof KnownLength
                                ? message.readNBytes(message.available())
                                : message.readAllBytes());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** A service whose calls have one message each. */
    public static ServerServiceDefinition of(ServerServiceDefinition service) {
        // The service gets messages as bytes here, so that this class parses them.
        return ServerInterceptors.intercept(
                ServerInterceptors.useMarshalledMessages(service, Unread.BYTES), new OneMessage());
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
            private int messages;
            private boolean refused;

            @Override
            public void onMessage(Q message) {
                if (refused) {
                    return;
                }
                if (++messages > 1) {
                    refuse("more than one message arrived");
                    return;
                }
                try {
                    super.onMessage(message);
                } catch (StatusRuntimeException e) {
                    if (!(e.getCause() instanceof InvalidProtocolBufferException)) {
                        throw e;
                    }
                    refuse("it is no message of this method");
                }
            }

            @Override
            public void onHalfClose() {
                if (messages == 0) {
                    refuse("no message arrived");
                }
                if (!refused) {
                    super.onHalfClose();
                }
            }

            private void refuse(String flaw) {
                refused = true;
                call.close(Status.INVALID_ARGUMENT.withDescription("request: " + flaw), new Metadata());
            }
        };
    }
}
