package dev.kvstore.benchmark.control;

import dev.kvstore.launcher.stack.StackControlPlane;
import dev.kvstore.protocol.control.v1.AccountServiceGrpc;
import dev.kvstore.protocol.control.v1.AccountServiceGrpc.AccountServiceBlockingStub;
import dev.kvstore.protocol.control.v1.AccountServiceGrpc.AccountServiceStub;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.util.List;
import java.util.stream.Stream;

/** Connections to a control plane, as data planes have them: with the join token. Thread-safe. */
final class ControlChannels implements AutoCloseable {
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    private final List<ManagedChannel> channels;
    private final List<Channel> known;

    /** Connects when first used. */
    ControlChannels(StackControlPlane control, int count) {
        Metadata headers = new Metadata();
        headers.put(AUTHORIZATION, "Bearer " + control.platformToken().text());
        this.channels = Stream.generate(
                        () -> Grpc.newChannelBuilder(control.address(), InsecureChannelCredentials.create())
                                .build())
                .limit(count)
                .toList();
        this.known = channels.stream()
                .map(channel ->
                        ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers)))
                .toList();
    }

    /** Calls that block, over one of the connections. */
    AccountServiceBlockingStub blocking(int number) {
        return AccountServiceGrpc.newBlockingStub(known.get(number % known.size()));
    }

    /** Calls that do not, over one of the connections. */
    AccountServiceStub async(int number) {
        return AccountServiceGrpc.newStub(known.get(number % known.size()));
    }

    /** Ends all calls. */
    @Override
    public void close() {
        channels.forEach(ManagedChannel::shutdownNow);
    }
}
