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
 * The methods of {@code kvstore.v1.KVStoreService} whose messages are parsed in place: incoming messages are {@link
 * Received}. The methods have the names and bytes of the generated ones, so that any stub can call either.
 */
public final class KvStoreMethods {
    /** The longest message, in bytes: a block of 64 MiB and its other fields. */
    public static final int MAX_MESSAGE_BYTES = 65 * 1024 * 1024;

    private KvStoreMethods() {}

    /** The methods for a server: requests arrive. */
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
     * The methods for a client: responses arrive, and those with blocks have the types of {@code kvstore.answer.v1}.
     * Lookups and Write have short answers, so their methods are the generated ones.
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
