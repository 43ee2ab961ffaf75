package dev.kvstore.benchmark.fleet;

import dev.kvstore.launcher.stack.StackControlPlane;
import dev.kvstore.protocol.control.v1.GetRouteRequest;
import dev.kvstore.protocol.control.v1.Route;
import dev.kvstore.protocol.control.v1.RouteServiceGrpc;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Clients on a few connections that they share: they ask for routes, and watch them. Thread-safe. */
final class RouteWatches implements AutoCloseable {
    private final List<ManagedChannel> channels;
    private final List<RouteServiceGrpc.RouteServiceStub> stubs;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private volatile @Nullable Wait wait;
    private final int watchers;

    /** Until each was told a route with a cluster, or without it. */
    private static final class Wait {
        private final String cluster;
        private final boolean with;
        private final AtomicLongArray told;
        private final CountDownLatch missing;

        private Wait(String cluster, boolean with, int watchers) {
            this.cluster = cluster;
            this.with = with;
            this.told = new AtomicLongArray(watchers);
            this.missing = new CountDownLatch(watchers);
        }

        private void hear(int watcher, byte[] route) {
            boolean has = RouteBytes.name(route, cluster);
            if (has == with && told.compareAndSet(watcher, 0, System.nanoTime())) {
                missing.countDown();
            }
        }
    }

    RouteWatches(StackControlPlane control, String key, int watchers, int connections) {
        this.watchers = watchers;
        Metadata headers = new Metadata();
        headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + key);
        channels = Stream.generate(() -> Grpc.newChannelBuilder(control.address(), InsecureChannelCredentials.create())
                        // The work of watchers is short; on other threads it would pile up there.
                        .directExecutor()
                        .build())
                .limit(connections)
                .toList();
        stubs = channels.stream()
                .map(channel -> RouteServiceGrpc.newStub(channel)
                        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers)))
                .toList();
    }

    Route ask(GetRouteRequest request) {
        RouteServiceGrpc.RouteServiceStub stub = stubs.getFirst();
        return RouteServiceGrpc.newBlockingStub(stub.getChannel()).getRoute(request);
    }

    /** Has all watch. */
    void begin(IntFunction<GetRouteRequest> requests) {
        for (int i = 0; i < watchers; i++) {
            RouteServiceGrpc.RouteServiceStub stub = stubs.get(i % stubs.size());
            ClientCalls.asyncServerStreamingCall(
                    stub.getChannel().newCall(RouteBytes.WATCH, stub.getCallOptions()),
                    requests.apply(i),
                    new RouteStream(i));
        }
    }

    /** Notes from now on which watchers get a route with a cluster, or without it. */
    void expect(String cluster, boolean with) {
        wait = new Wait(cluster, with, watchers);
    }

    /**
     * When each was told that was, in the order of time, once all were or so long has passed.
     *
     * @throws IllegalStateException if a watch has ended
     */
    List<Long> await(long seconds) throws InterruptedException {
        Wait current = wait;
        if (current == null) {
            throw new IllegalStateException("nothing is expected");
        }
        var _ = current.missing.await(seconds, TimeUnit.SECONDS);
        Throwable ended = failure.get();
        if (ended != null) {
            String cause = ended.getCause() == null ? "" : " (" + ended.getCause() + ")";
            throw new IllegalStateException("a watch ended: " + ended.getMessage() + cause, ended);
        }
        return Arrays.stream(IntStream.range(0, watchers)
                        .mapToLong(current.told::get)
                        .toArray())
                .filter(nanos -> nanos != 0)
                .sorted()
                .boxed()
                .toList();
    }

    private final class RouteStream implements StreamObserver<byte[]> {
        private final int number;

        private RouteStream(int number) {
            this.number = number;
        }

        @Override
        public void onNext(byte[] route) {
            Wait current = wait;
            if (current != null) {
                current.hear(number, route);
            }
        }

        @Override
        public void onError(Throwable ended) {
            failure.compareAndSet(null, ended);
        }

        @Override
        public void onCompleted() {
            failure.compareAndSet(null, new IllegalStateException("the control plane ended it"));
        }
    }

    /** Ends all calls. */
    @Override
    public void close() {
        channels.forEach(ManagedChannel::shutdownNow);
    }
}
