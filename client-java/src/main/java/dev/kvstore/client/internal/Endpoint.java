package dev.kvstore.client.internal;

import io.grpc.CallCredentials;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Deadline;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** One data-plane process: its connections, what is under way there, and whether to leave it alone. Thread-safe. */
final class Endpoint {
    /** One failed connection attempt of gRPC costs about that; longer than a process restart is not worth waiting. */
    static final Duration FIRST_PENALTY = Duration.ofSeconds(1);

    static final Duration LONGEST_PENALTY = Duration.ofSeconds(30);

    private record Penalty(long sinceNanos, Duration length) {
        static final Penalty NONE = new Penalty(0, Duration.ZERO);

        boolean over(long now) {
            return now - sinceNanos >= length.toNanos();
        }
    }

    private final String name;
    private final long seed;
    private final List<ManagedChannel> channels;
    private final CallCredentials credentials;
    private final AtomicInteger turn = new AtomicInteger();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicReference<Penalty> penalty = new AtomicReference<>(Penalty.NONE);

    Endpoint(String name, List<ManagedChannel> channels, CallCredentials credentials) {
        this.credentials = credentials;
        this.name = name;
        this.seed = Rendezvous.seed(name);
        this.channels = List.copyOf(channels);
    }

    String name() {
        return name;
    }

    long seed() {
        return seed;
    }

    /** A call with the client's key, over the connections in turn. */
    <Q, R> ClientCall<Q, R> call(MethodDescriptor<Q, R> method, Deadline deadline) {
        return channels.get(Math.floorMod(turn.getAndIncrement(), channels.size()))
                .newCall(method, CallOptions.DEFAULT.withDeadline(deadline).withCallCredentials(credentials));
    }

    List<ManagedChannel> channels() {
        return channels;
    }

    int inFlight() {
        return inFlight.get();
    }

    void begun() {
        inFlight.incrementAndGet();
    }

    void ended() {
        inFlight.decrementAndGet();
    }

    void answered() {
        penalty.set(Penalty.NONE);
    }

    /** It did not answer: leave it alone, twice as long as the last time. Calls that fail together count once. */
    void unavailable(long now) {
        penalty.updateAndGet(old -> {
            if (old.length().isZero()) {
                return new Penalty(now, FIRST_PENALTY);
            }
            if (!old.over(now)) {
                return old;
            }
            Duration twice = old.length().multipliedBy(2);
            return new Penalty(now, twice.compareTo(LONGEST_PENALTY) < 0 ? twice : LONGEST_PENALTY);
        });
    }

    boolean healthy(long now) {
        return penalty.get().over(now);
    }
}
