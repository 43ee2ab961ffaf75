package dev.kvstore.benchmark.fleet;

import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.stack.StackControlPlane;
import dev.kvstore.protocol.control.v1.HeartbeatRequest;
import dev.kvstore.protocol.control.v1.HeartbeatResponse;
import dev.kvstore.protocol.control.v1.Load;
import dev.kvstore.protocol.control.v1.MembershipServiceGrpc;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Processes that send a heartbeat every 5 s each, spread evenly over that time, on a few connections that they share.
 * Thread-safe.
 */
final class SimulatedFleet implements AutoCloseable {
    private static final int CHANNELS = 16;
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long DEADLINE_SECONDS = 4;
    private static final int JOINING = 32;
    private static final long JOIN_SECONDS = 60;
    private static final int THOUSAND = 1_000;

    private final List<ManagedChannel> channels;
    private final List<MembershipServiceGrpc.MembershipServiceStub> stubs;
    private final List<SimulatedMember> members;
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final LongAdder answered = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder lost = new LongAdder();
    private volatile Latencies latencies = new Latencies();

    /**
     * @param clusters by number: the name of each
     */
    SimulatedFleet(StackControlPlane control, int count, List<String> clusters) {
        Metadata headers = new Metadata();
        headers.put(
                Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
                "Bearer " + control.platformToken().text());
        channels = Stream.generate(() -> Grpc.newChannelBuilder(control.address(), InsecureChannelCredentials.create())
                        .build())
                .limit(CHANNELS)
                .toList();
        stubs = channels.stream()
                .map(channel -> MembershipServiceGrpc.newStub(channel)
                        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers)))
                .toList();
        members = IntStream.range(0, count)
                .mapToObj(i -> new SimulatedMember(i, clusters.get(i % clusters.size())))
                .toList();
    }

    List<SimulatedMember> members() {
        return members;
    }

    /** Calls of a member that block, within so many seconds. */
    MembershipServiceGrpc.MembershipServiceBlockingStub blocking(SimulatedMember member, long seconds) {
        MembershipServiceGrpc.MembershipServiceStub stub = stub(member);
        return MembershipServiceGrpc.newBlockingStub(stub.getChannel()).withDeadlineAfter(seconds, TimeUnit.SECONDS);
    }

    private MembershipServiceGrpc.MembershipServiceStub stub(SimulatedMember member) {
        return stubs.get(member.number() % stubs.size());
    }

    /** Another with each heartbeat. */
    private static Load anyLoad() {
        long start = System.nanoTime();
        return Load.newBuilder()
                .setBytesPerSecond(start % THOUSAND * THOUSAND)
                .setOperations((int) (start % THOUSAND / 10))
                .setCpu(start % THOUSAND / (double) THOUSAND)
                .build();
    }

    /**
     * Has all join; how long each took.
     *
     * @throws LaunchException if one cannot
     */
    Latencies join() throws InterruptedException {
        Latencies joining = new Latencies();
        List<Future<?>> ends = new ArrayList<>();
        try (ExecutorService executor = Executors.newFixedThreadPool(JOINING)) {
            for (SimulatedMember member : members) {
                ends.add(executor.submit(() -> {
                    long begun = System.nanoTime();
                    member.joined(blocking(member, JOIN_SECONDS).register(member.registration()));
                    joining.addSince(begun);
                }));
            }
        }
        for (Future<?> end : ends) {
            try {
                end.get();
            } catch (ExecutionException e) {
                throw new LaunchException("a process could not join: " + e.getCause(), e);
            }
        }
        return joining;
    }

    /** Has all that have joined send heartbeats from now on. */
    void begin() {
        for (SimulatedMember member : members) {
            var _ = scheduler.scheduleAtFixedRate(
                    () -> beat(member),
                    PERIOD_NANOS * member.number() / members.size(),
                    PERIOD_NANOS,
                    TimeUnit.NANOSECONDS);
        }
    }

    private void beat(SimulatedMember member) {
        String lease = member.lease();
        if (lease == null) {
            return;
        }
        long start = System.nanoTime();
        HeartbeatRequest request = HeartbeatRequest.newBuilder()
                .setLease(lease)
                .setPeersVersion(member.peersVersion())
                .setLoad(anyLoad())
                .build();
        stub(member).withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS).heartbeat(request, new StreamObserver<>() {
            @Override
            public void onNext(HeartbeatResponse response) {
                member.heard(response.getInstructions().getPeersVersion(), start);
            }

            @Override
            public void onError(Throwable failure) {
                if (Status.fromThrowable(failure).getCode() == Status.Code.NOT_FOUND) {
                    lost.increment();
                    member.fallSilent();
                } else {
                    failed.increment();
                }
            }

            @Override
            public void onCompleted() {
                answered.increment();
                latencies.addSince(start);
            }
        });
    }

    /** From now on heartbeats are measured anew. */
    void measureAnew() {
        latencies = new Latencies();
        answered.reset();
        failed.reset();
        lost.reset();
    }

    Latencies.Percentiles latency() {
        return latencies.percentiles();
    }

    long answered() {
        return answered.sum();
    }

    long failed() {
        return failed.sum();
    }

    long lost() {
        return lost.sum();
    }

    /** Ends all calls. */
    @Override
    public void close() {
        scheduler.shutdownNow();
        channels.forEach(ManagedChannel::shutdownNow);
    }
}
