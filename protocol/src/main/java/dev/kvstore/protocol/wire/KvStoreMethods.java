package dev.kvstore.protocol.wire;

import com.google.protobuf.MessageLite;
import dev.kvstore.protocol.answer.v1.ReadAnswer;
import dev.kvstore.protocol.answer.v1.StreamingReadAnswer;
import dev.kvstore.protocol.v1.KVStoreServiceGrpc;
import dev.kvstore.protocol.v1.LookupAllRequest;
import dev.kvstore.protocol.v1.LookupAllResponse;
import dev.kvstore.protocol.v1.LookupRequest;
import dev.kvstore.protocol.v1.LookupResponse;
import dev.kvstore.protocol.v1.ReadRequest;
import dev.kvstore.protocol.v1.ReadResponse;
import dev.kvstore.protocol.v1.StreamingReadRequest;
import dev.kvstore.protocol.v1.StreamingReadResponse;
import dev.kvstore.protocol.v1.StreamingWriteRequest;
import dev.kvstore.protocol.v1.StreamingWriteResponse;
import dev.kvstore.protocol.v1.WriteRequest;
import dev.kvstore.protocol.v1.WriteResponse;
import io.grpc.MethodDescriptor;

/**
 * The methods of {@code kvstore.v1.KVStoreService} whose messages are parsed in place: incoming messages are
 * {@link Received}. Same names and bytes as the generated ones, so that any stub talks to either.
 */
public final class KvStoreMethods {
    /** Longest message, in bytes: a block of 64 MiB and what goes with it. */
    public static final int MAX_MESSAGE_BYTES = 65 * 1024 * 1024;

    private KvStoreMethods() {}

    /** The methods as a server sees them: requests arrive. */
    public static final class ServerMethods {
        public static final MethodDescriptor<Received<LookupRequest>, LookupResponse> LOOKUP =
                arriving(KVStoreServiceGrpc.getLookupMethod(), LookupRequest.getDefaultInstance());
        public static final MethodDescriptor<Received<LookupAllRequest>, LookupAllResponse> LOOKUP_ALL =
                arriving(KVStoreServiceGrpc.getLookupAllMethod(), LookupAllRequest.getDefaultInstance());
        public static final MethodDescriptor<Received<ReadRequest>, ReadResponse> READ =
                arriving(KVStoreServiceGrpc.getReadMethod(), ReadRequest.getDefaultInstance());
        public static final MethodDescriptor<Received<WriteRequest>, WriteResponse> WRITE =
                arriving(KVStoreServiceGrpc.getWriteMethod(), WriteRequest.getDefaultInstance());
        public static final MethodDescriptor<Received<StreamingReadRequest>, StreamingReadResponse> STREAMING_READ =
                arriving(KVStoreServiceGrpc.getStreamingReadMethod(), StreamingReadRequest.getDefaultInstance());
        public static final MethodDescriptor<Received<StreamingWriteRequest>, StreamingWriteResponse> STREAMING_WRITE =
                arriving(KVStoreServiceGrpc.getStreamingWriteMethod(), StreamingWriteRequest.getDefaultInstance());

        private ServerMethods() {}
    }

    /**
     * As a client sees them: responses arrive, those with blocks as {@code kvstore.answer.v1} has them. lookups and
     * Write answer with little, so they are the generated ones.
     */
    public static final class ClientMethods {
        public static final MethodDescriptor<LookupRequest, LookupResponse> LOOKUP =
                KVStoreServiceGrpc.getLookupMethod();
        public static final MethodDescriptor<LookupAllRequest, LookupAllResponse> LOOKUP_ALL =
                KVStoreServiceGrpc.getLookupAllMethod();
        public static final MethodDescriptor<ReadRequest, Received<ReadAnswer>> READ =
                answered(KVStoreServiceGrpc.getReadMethod(), ReadAnswer.getDefaultInstance());
        public static final MethodDescriptor<WriteRequest, WriteResponse> WRITE = KVStoreServiceGrpc.getWriteMethod();
        public static final MethodDescriptor<StreamingReadRequest, Received<StreamingReadAnswer>> STREAMING_READ =
                answered(KVStoreServiceGrpc.getStreamingReadMethod(), StreamingReadAnswer.getDefaultInstance());
        public static final MethodDescriptor<StreamingWriteRequest, StreamingWriteResponse> STREAMING_WRITE =
                KVStoreServiceGrpc.getStreamingWriteMethod();

        private ClientMethods() {}
    }

    private static <Q extends MessageLite, R> MethodDescriptor<Received<Q>, R> arriving(
            MethodDescriptor<Q, R> method, Q empty) {
        return method.toBuilder(new ReceivedMarshaller<>(empty), method.getResponseMarshaller())
                .build();
    }

    private static <Q, R extends MessageLite> MethodDescriptor<Q, Received<R>> answered(
            MethodDescriptor<Q, ?> method, R empty) {
        return method.toBuilder(method.getRequestMarshaller(), new ReceivedMarshaller<>(empty))
                .build();
    }
}
