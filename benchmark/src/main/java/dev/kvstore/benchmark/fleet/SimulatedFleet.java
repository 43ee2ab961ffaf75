package dev.kvstore.benchmark.fleet;

import dev.kvstore.benchmark.measure.CallLoad;
import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.benchmark.measure.StackChannels;
import dev.kvstore.launcher.stack.StackControlPlane;
import dev.kvstore.protocol.control.v1.HeartbeatRequest;
import dev.kvstore.protocol.control.v1.HeartbeatResponse;
import dev.kvstore.protocol.control.v1.MembershipServiceGrpc;
import dev.kvstore.protocol.control.v1.RegisterResponse;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

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

    private final StackChannels channels;
    private final List<SimulatedMember> members;
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private volatile HeartbeatCounts counts = new HeartbeatCounts();

    /** Heartbeats by outcome, since the counts were begun anew. */
    record HeartbeatCounts(Latencies answered, LongAdder failed, LongAdder lostLeases) {
        private HeartbeatCounts() {
            this(new Latencies(), new LongAdder(), new LongAdder());
        }
    }

    /**
     * @param clusters by number: the name of each
     */
    SimulatedFleet(StackControlPlane control, int count, List<String> clusters) {
        channels = new StackChannels(control.address(), control.platformToken().text(), CHANNELS);
        members = IntStream.range(0, count)
                .mapToObj(i -> new SimulatedMember(i, clusters.get(i % clusters.size())))
                .toList();
    }

    List<SimulatedMember> members() {
        return members;
    }

    /** Has all join; how long each took. */
    Latencies join() throws InterruptedException {
        Latencies joining = new Latencies();
        CallLoad.calls(JOINING, 0, members.size(), i -> {
            long begun = System.nanoTime();
            SimulatedMember member = members.get(i);
            RegisterResponse joined = MembershipServiceGrpc.newBlockingStub(channels.get(i))
                    .withDeadlineAfter(JOIN_SECONDS, TimeUnit.SECONDS)
                    .register(member.registration());
            member.peersVersion = joined.getInstructions().getPeersVersion();
            member.lease = joined.getLease();
            joining.addSince(begun);
        });
        return joining;
    }

    /** Has all that have joined send heartbeats from now on. */
    void begin() {
        for (SimulatedMember member : members) {
            var _ = scheduler.scheduleAtFixedRate(
                    () -> beat(member),
                    PERIOD_NANOS * member.number / members.size(),
                    PERIOD_NANOS,
                    TimeUnit.NANOSECONDS);
        }
    }

    private void beat(SimulatedMember member) {
        String lease = member.lease;
        if (lease == null) {
            return;
        }
        long start = System.nanoTime();
        HeartbeatRequest request = HeartbeatRequest.newBuilder()
                .setLease(lease)
                .setPeersVersion(member.peersVersion)
                .setLoad(member.load())
                .build();
        MembershipServiceGrpc.newStub(channels.get(member.number))
                .withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS)
                .heartbeat(request, new StreamObserver<>() {
                    @Override
                    public void onNext(HeartbeatResponse response) {
                        member.peersVersion = response.getInstructions().getPeersVersion();
                        member.lastHeard = start;
                    }

                    @Override
                    public void onError(Throwable failure) {
                        if (Status.fromThrowable(failure).getCode() == Status.Code.NOT_FOUND) {
                            counts.lostLeases().increment();
                            member.lease = null;
                        } else {
                            counts.failed().increment();
                        }
                    }

                    @Override
                    public void onCompleted() {
                        counts.answered().addSince(start);
                    }
                });
    }

    /** The counts of heartbeats from now on; they go on counting until this is called again. */
    HeartbeatCounts measureAnew() {
        HeartbeatCounts anew = new HeartbeatCounts();
        counts = anew;
        return anew;
    }

    /** Ends all calls. */
    @Override
    public void close() {
        scheduler.shutdownNow();
        channels.close();
    }
}
