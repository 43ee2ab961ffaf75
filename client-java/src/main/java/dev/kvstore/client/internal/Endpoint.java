package dev.kvstore.client.internal;

import dev.kvstore.client.internal.routing.Candidate;
import dev.kvstore.client.internal.routing.Health;
import dev.kvstore.client.internal.routing.Rendezvous;
import io.grpc.CallCredentials;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Deadline;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One data plane: its connections, each made on first use, its open calls, and its health. Thread-safe. */
public final class Endpoint implements Candidate {
    private final String name;
    private final String address;
    private final long seed;
    private final int connections;
    private final Supplier<ManagedChannel> connect;
    private final CallCredentials credentials;
    private final Health health = new Health();
    private final Silence silence = new Silence();
    private final AtomicInteger turn = new AtomicInteger();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger waiting = new AtomicInteger();
    private final Set<Attempt> attempts = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private volatile List<ManagedChannel> channels = List.of();
    private volatile long heard;
    private volatile boolean owing;
    private volatile boolean retired;
    private @Nullable ManagedChannel aside;
    private boolean shut;

    /**
     * A data plane without connections.
     *
     * @param name the name, stable over restarts
     * @param connect makes a channel, which connects on first use
     */
    Endpoint(
            String name,
            String address,
            int connections,
            Supplier<ManagedChannel> connect,
            CallCredentials credentials) {
        this.name = name;
        this.address = address;
        this.seed = Rendezvous.seed(name);
        this.connections = connections;
        this.connect = connect;
        this.credentials = credentials;
    }

    String address() {
        return address;
    }

    @Override
    public long seed() {
        return seed;
    }

    @Override
    public int inFlight() {
        return inFlight.get();
    }

    @Override
    public Health health() {
        return health;
    }

    Silence silence() {
        return silence;
    }

    /** The time at which the data plane last sent something, or last owed no answer. */
    long heard() {
        return heard;
    }

    void heard(long now) {
        heard = now;
        owing = false;
    }

    /**
     * Notes that an operation met its deadline without an answer. The data plane counts as maybe frozen until it sends
     * something.
     */
    void unanswered() {
        owing = true;
    }

    /** Whether the data plane owes an answer. */
    boolean owes() {
        return owing || waiting.get() > 0;
    }

    /** Begins a call with the client's key; calls use the connections in turn. */
    <Q, R> ClientCall<Q, R> call(MethodDescriptor<Q, R> method, CallOptions options) {
        return channel().newCall(method, options.withCallCredentials(credentials));
    }

    /** Begins a call without the key. */
    <Q, R> ClientCall<Q, R> anonymous(MethodDescriptor<Q, R> method, Deadline deadline) {
        return channel().newCall(method, CallOptions.DEFAULT.withDeadline(deadline));
    }

    /**
     * A separate connection, which no open calls fill; null if the data plane is no longer used. The connection stays
     * until {@link #leaveAside}, since a data plane limits the connections without a key that one address begins.
     */
    @Nullable
    ManagedChannel aside() {
        lock.lock();
        try {
            if (aside == null && !shut) {
                aside = connect.get();
            }
            return aside;
        } finally {
            lock.unlock();
        }
    }

    /** Closes the connection of {@link #aside}. */
    void leaveAside() {
        lock.lock();
        try {
            if (aside != null) {
                aside.shutdownNow();
                aside = null;
            }
        } finally {
            lock.unlock();
        }
    }

    private ManagedChannel channel() {
        List<ManagedChannel> open = channels;
        if (open.isEmpty()) {
            open = open();
        }
        return open.get(Math.floorMod(turn.getAndIncrement(), open.size()));
    }

    private List<ManagedChannel> open() {
        lock.lock();
        try {
            if (channels.isEmpty()) {
                channels = connected();
                if (shut) {
                    channels.forEach(ManagedChannel::shutdown);
                }
            }
            return channels;
        } finally {
            lock.unlock();
        }
    }

    private List<ManagedChannel> connected() {
        List<ManagedChannel> made = new ArrayList<>();
        try {
            while (made.size() < connections) {
                made.add(connect.get());
            }
            return List.copyOf(made);
        } catch (RuntimeException | Error e) {
            made.forEach(ManagedChannel::shutdownNow);
            throw e;
        }
    }

    /**
     * Ends the use of this data plane: no further calls come. Open calls go on, and the health can be asked for
     * meanwhile; then the connections are closed.
     */
    void retire() {
        retired = true;
        if (inFlight.get() == 0) {
            shutdown();
        }
    }

    private void shutdown() {
        lock.lock();
        try {
            shut = true;
            leaveAside();
            channels.forEach(ManagedChannel::shutdown);
        } finally {
            lock.unlock();
        }
    }

    boolean closed() {
        return inFlight.get() == 0 && channels.stream().allMatch(ManagedChannel::isTerminated);
    }

    void shutdownNow() {
        shutdown();
        channels.forEach(ManagedChannel::shutdownNow);
    }

    void awaitClosed(long nanos) throws InterruptedException {
        for (ManagedChannel channel : channels) {
            channel.awaitTermination(nanos, TimeUnit.NANOSECONDS);
        }
    }

    void begun(Attempt attempt, long now) {
        attempts.add(attempt);
        inFlight.incrementAndGet();
        begunToWait(now);
    }

    /** Notes that a call waits for the data plane. The silence that counts begins with the first such call. */
    void begunToWait(long now) {
        if (waiting.getAndIncrement() == 0 && !owing) {
            heard = now;
        }
    }

    /** Notes that a call waits no more: the data plane owes it nothing at present. */
    void endedToWait() {
        waiting.decrementAndGet();
    }

    void ended(Attempt attempt) {
        attempts.remove(attempt);
        if (inFlight.decrementAndGet() == 0 && retired) {
            shutdown();
        }
    }

    /** Ends all open calls, since the data plane is frozen; their operations continue elsewhere. */
    void stalled() {
        owing = false;
        attempts.forEach(Attempt::stall);
    }

    @Override
    public String toString() {
        return name.equals(address) ? name : name + " (" + address + ")";
    }
}
