package dev.kvstore.dataplane.cluster;

import com.google.protobuf.Timestamp;
import dev.kvstore.dataplane.account.control.ControlPlaneReplicas;
import dev.kvstore.protocol.control.v1.Capacity;
import dev.kvstore.protocol.control.v1.HeartbeatRequest;
import dev.kvstore.protocol.control.v1.Instructions;
import dev.kvstore.protocol.control.v1.LeaveRequest;
import dev.kvstore.protocol.control.v1.Load;
import dev.kvstore.protocol.control.v1.MembershipServiceGrpc;
import dev.kvstore.protocol.control.v1.RegisterRequest;
import dev.kvstore.protocol.control.v1.RegisterResponse;
import io.grpc.Status;
import io.grpc.StatusException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Holds a lease in a cluster for as long as the process runs. Without the control plane the process goes on serving,
 * since no call depends on the lease. Runs on a thread of its own; its getters are thread-safe.
 */
public final class Membership implements Runnable, AutoCloseable {
    /** Receives the control plane's instructions. Must not wait. */
    public interface Follower {
        /**
         * Follows instructions: whether to drain, the cluster's other members if they changed, and which answers to
         * forget.
         */
        void follow(Instructions instructions);

        /** Whether the process drains by itself. */
        boolean isDraining();
    }

    /** The figures that each heartbeat reports. Thread-safe. */
    public interface Gauges {
        Capacity capacity();

        /** The load since the last call. */
        Load load();
    }

    private static final Logger LOG = System.getLogger(Membership.class.getName());

    /**
     * Deadline of a call. An answer takes milliseconds; after this another control plane is asked, and three tries are
     * well within a lease.
     */
    private static final Duration DEADLINE = Duration.ofSeconds(2);

    /** The lease time if a control plane does not say for how long a lease lasts. */
    private static final Duration UNLIMITED = Duration.ofDays(36_500);

    /** Deadline for giving the lease back; a lease that was not given back ends by itself. */
    private static final Duration LEAVE_DEADLINE = Duration.ofSeconds(1);

    private final ControlPlaneReplicas plane;
    private final Self self;
    private final Gauges gauges;
    private final Follower follower;
    private final InstantSource clock;
    private final MembershipState state;
    private final Semaphore soon = new Semaphore(0);
    private final LongAdder renewed = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private volatile String lease = "";
    private String peersVersion = "";
    private String corrections = "";
    private final LongSupplier ticker;
    private volatile boolean joined;

    /** The end of the lease, by the ticker, counted from the request: nobody knows when the request arrived. */
    private volatile long leaseEnds;

    private Duration leaseTime = UNLIMITED;
    private volatile boolean closed;
    private volatile @Nullable String flaw;
    private volatile @Nullable Thread thread;

    /** A membership that begins when it is run. */
    public Membership(
            ControlPlaneReplicas plane,
            Self self,
            Gauges gauges,
            Follower follower,
            InstantSource clock,
            RandomGenerator random) {
        this(plane, self, gauges, follower, clock, random, System::nanoTime);
    }

    /** @param ticker nanoseconds from anywhere, which never go back */
    Membership(
            ControlPlaneReplicas plane,
            Self self,
            Gauges gauges,
            Follower follower,
            InstantSource clock,
            RandomGenerator random,
            LongSupplier ticker) {
        this.plane = plane;
        this.self = self;
        this.gauges = gauges;
        this.follower = follower;
        this.clock = clock;
        this.state = new MembershipState(random);
        this.ticker = ticker;
    }

    /** Begins, on a virtual thread. */
    public void start() {
        // Otherwise a process whose token was refused would try again only after its lease has ended.
        plane.token().whenRenewed(this::hurry);
        thread = Thread.ofVirtual().name("membership").start(this);
    }

    /**
     * Whether this process holds a lease: it was given one, and renewed it less than a lease's time ago, whatever kept
     * it from renewing it again.
     */
    public boolean isJoined() {
        return joined && ticker.getAsLong() - leaseEnds < 0;
    }

    /** Why there is no lease, or the lease could not be renewed; null if all is well. */
    public @Nullable String flaw() {
        return flaw;
    }

    /**
     * The id of the lease, by which the control plane knows this process; empty while there is none. An ended lease
     * that the control plane did not deny is still named: a heartbeat brings it back, and clients may still be sent
     * here.
     */
    public String lease() {
        return joined ? lease : "";
    }

    public String cluster() {
        return self.cluster();
    }

    /** Number of registrations and heartbeats that succeeded. */
    public long renewed() {
        return renewed.sum();
    }

    /** Number of registrations and heartbeats that failed or were refused. */
    public long failed() {
        return failed.sum();
    }

    /** Sends the next heartbeat now, since there is news. */
    public void hurry() {
        soon.release();
    }

    @Override
    public void run() {
        try {
            while (!closed) {
                Duration wait = step();
                boolean _ = soon.tryAcquire(wait.toNanos(), TimeUnit.NANOSECONDS);
                soon.drainPermits();
            }
            leave();
        } catch (InterruptedException e) {
            joined = false;
        }
    }

    private Duration step() throws InterruptedException {
        long asked = ticker.getAsLong();
        try {
            Duration next = state.isMember() ? heartbeat() : register();
            renewed.increment();
            if (flaw != null) {
                LOG.log(Level.INFO, "member of cluster {0} again", self.cluster());
            }
            flaw = null;
            leaseEnds = asked + leaseTime.toNanos();
            joined = true;
            return next;
        } catch (StatusException e) {
            return failed(e.getStatus());
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, "an answer of the control plane about the cluster was not processed", e);
            return failed(Status.INTERNAL);
        }
    }

    private Duration register() throws StatusException, InterruptedException {
        RegisterRequest.Builder request = RegisterRequest.newBuilder()
                .setCluster(self.cluster())
                .setProcess(self.process())
                .setInstance(self.instance())
                .setAddress(self.address())
                .setRemoteAddress(self.remoteAddress())
                .setCapacity(gauges.capacity())
                .setPeerToken(self.token().secret())
                .setVersion(self.version())
                .setClock(now());
        self.numaNode().ifPresent(request::setNumaNode);
        RegisterResponse answer =
                plane.ask(MembershipServiceGrpc::newFutureStub, stub -> stub.register(request.build()), DEADLINE);
        lease = answer.getLease();
        Duration lasts = Duration.ofSeconds(
                answer.getLeaseTime().getSeconds(), answer.getLeaseTime().getNanos());
        leaseTime = lasts.isPositive() ? lasts : UNLIMITED;
        Duration next = state.registered(Duration.ofSeconds(
                answer.getHeartbeatPeriod().getSeconds(),
                answer.getHeartbeatPeriod().getNanos()));
        follow(answer.getInstructions());
        LOG.log(Level.INFO, "joined cluster {0} in region {1}", self.cluster(), answer.getRegion());
        return next;
    }

    private Duration heartbeat() throws StatusException, InterruptedException {
        HeartbeatRequest request = HeartbeatRequest.newBuilder()
                .setLease(lease)
                .setLoad(gauges.load())
                .setCapacity(gauges.capacity())
                .setDraining(follower.isDraining())
                .setPeersVersion(peersVersion)
                .setClock(now())
                .build();
        Instructions instructions = plane.ask(
                        MembershipServiceGrpc::newFutureStub, stub -> stub.heartbeat(request), DEADLINE)
                .getInstructions();
        Duration next = state.renewed();
        follow(instructions);
        return next;
    }

    private void follow(Instructions instructions) {
        follower.follow(instructions);
        peersVersion = instructions.getPeersVersion();
        String said = String.join("; ", instructions.getCorrectionsList());
        if (!said.equals(corrections) && !said.isEmpty()) {
            LOG.log(Level.WARNING, "the control plane corrected figures of this process: {0}", said);
        }
        corrections = said;
    }

    private Timestamp now() {
        Instant now = clock.instant();
        return Timestamp.newBuilder()
                .setSeconds(now.getEpochSecond())
                .setNanos(now.getNano())
                .build();
    }

    /** Logs a failure once, until it ends or another one follows. */
    private Duration failed(Status why) {
        failed.increment();
        boolean lost = state.isMember() && why.getCode() == Status.Code.NOT_FOUND;
        Duration next = state.failed(why.getCode());
        joined = state.isMember();
        String said = why.getCode() + (why.getDescription() == null ? "" : ": " + why.getDescription());
        if (lost) {
            LOG.log(Level.WARNING, "the lease in cluster {0} was lost; this process registers again", self.cluster());
        } else if (flaw == null || (MembershipState.needsSomebody(why.getCode()) && !said.equals(flaw))) {
            LOG.log(
                    Level.ERROR,
                    "no lease in cluster {0} ({1}); this process serves, and tries again",
                    self.cluster(),
                    said);
        }
        flaw = said;
        return next;
    }

    private void leave() throws InterruptedException {
        if (!state.isMember()) {
            return;
        }
        try {
            LeaveRequest request = LeaveRequest.newBuilder().setLease(lease).build();
            var _ = plane.ask(MembershipServiceGrpc::newFutureStub, stub -> stub.leave(request), LEAVE_DEADLINE);
        } catch (StatusException e) {
            LOG.log(Level.WARNING, "the lease was not given back, and ends by itself: {0}", e.getStatus());
        }
        joined = false;
    }

    /** Gives the lease back, so that this process leaves all routes. Waits for that a few seconds at most. */
    @Override
    public void close() {
        closed = true;
        soon.release();
        Thread mine = thread;
        if (mine == null) {
            return;
        }
        try {
            boolean _ = mine.join(DEADLINE.plus(LEAVE_DEADLINE).plusSeconds(1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
