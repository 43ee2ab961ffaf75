package dev.kvstore.testing;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.Compressor;
import io.grpc.CompressorRegistry;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import java.io.OutputStream;

/**
 * Marks the messages of calls as not compressed, which grpc-java leaves out and clients in other languages may state.
 */
public final class IdentityEncoding implements ClientInterceptor {
    private static final String NAME = "identity";

    private IdentityEncoding() {}

    /**
     * A channel whose calls have this mark.
     *
     * @param endpoint host:port, in clear
     */
    public static ManagedChannel channel(String endpoint) {
        CompressorRegistry compressors = CompressorRegistry.newEmptyInstance();
        compressors.register(new IdentityCompressor());
        return ManagedChannelBuilder.forTarget(endpoint)
                .usePlaintext()
                .compressorRegistry(compressors)
                .intercept(new IdentityEncoding())
                .build();
    }

    private static final class IdentityCompressor implements Compressor {
        @Override
        public String getMessageEncoding() {
            return NAME;
        }

        @Override
        public OutputStream compress(OutputStream out) {
            return out;
        }
    }

    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
        return new SimpleForwardingClientCall<>(next.newCall(method, options.withCompression(NAME))) {
            @Override
            public void start(Listener<R> listener, Metadata headers) {
                super.start(listener, headers);
                setMessageCompression(false);
            }
        };
    }
}
