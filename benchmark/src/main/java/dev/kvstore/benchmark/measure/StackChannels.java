package dev.kvstore.benchmark.measure;

import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.util.List;
import java.util.stream.Stream;

/** gRPC connections to a program of a stack, all calls with the same bearer token. Thread-safe. */
public final class StackChannels implements AutoCloseable {
    private final List<ManagedChannel> connections;
    private final List<Channel> channels;

    /**
     * Connects when first used.
     *
     * @param address host:port
     * @param count 1 or more connections
     */
    public StackChannels(String address, String token, int count) {
        Metadata headers = new Metadata();
        headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
        connections = Stream.generate(() -> Grpc.newChannelBuilder(address, InsecureChannelCredentials.create())
                        .build())
                .limit(count)
                .toList();
        channels = connections.stream()
                .map(channel ->
                        ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers)))
                .toList();
    }

    /** One of the connections: for the same number the same. */
    public Channel get(int number) {
        return channels.get(number % channels.size());
    }

    /** Ends all calls. */
    @Override
    public void close() {
        connections.forEach(ManagedChannel::shutdownNow);
    }
}
