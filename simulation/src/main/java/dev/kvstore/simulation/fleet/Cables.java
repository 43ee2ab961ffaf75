package dev.kvstore.simulation.fleet;

import dev.kvstore.simulation.world.SimulatedHost;
import dev.kvstore.simulation.world.World;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The ways between hosts. A call that begins while its way is cut fails; each other call may get a {@link WayTrouble}.
 * For one thread.
 */
final class Cables {
    /** A caller notices after this time that nobody answers. */
    private static final long NOTICED = Duration.ofSeconds(2).toNanos();

    /** A caller without a deadline gives up after this time. */
    private static final long GIVEN_UP = Duration.ofSeconds(30).toNanos();

    private static final long LATEST = Duration.ofSeconds(6).toNanos();

    private final World world;
    private final SplittableRandom random;
    private final Map<Ends, TroubledEnds> troubled = new HashMap<>();

    /** The times until which the second of two hosts gets no calls of the first one. */
    private final Map<Ends, Long> cut = new HashMap<>();

    private record Ends(String from, String to) {}

    /** @param part the part of the calls that get the trouble, 0 to 1 */
    private record TroubledEnds(WayTrouble trouble, double part, long until) {}

    Cables(World world) {
        this.world = world;
        this.random = world.random("cables");
    }

    void trouble(String from, String to, WayTrouble trouble, double part, long nanos) {
        troubled.put(new Ends(from, to), new TroubledEnds(trouble, part, world.nanos() + nanos));
    }

    /** The trouble of a call; null for none. */
    private @Nullable WayTrouble trouble(Ends ends) {
        TroubledEnds now = troubled.get(ends);
        if (now == null || now.until <= world.nanos() || random.nextDouble() >= now.part) {
            return null;
        }
        world.happened("way: " + now.trouble);
        return now.trouble;
    }

    void cut(String from, String to, long nanos) {
        cut.merge(new Ends(from, to), world.nanos() + nanos, Math::max);
    }

    ClientInterceptor between(SimulatedHost from, String to) {
        Ends ends = new Ends(from.name(), to);
        return new ClientInterceptor() {
            @Override
            public <Q, R> ClientCall<Q, R> interceptCall(
                    MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
                if (cut.getOrDefault(ends, 0L) > world.nanos()) {
                    return new LostCall<>(from, options.getExecutor(), NOTICED);
                }
                return switch (trouble(ends)) {
                    case LOST -> new LostCall<>(from, options.getExecutor(), patience(options));
                    case UNANSWERED -> {
                        TroubledCall<Q, R> call = new TroubledCall<>(next.newCall(method, options), false);
                        call.begin();
                        yield call;
                    }
                    case LATE -> late(from, next.newCall(method, options));
                    case DOUBLED -> {
                        ClientCall<Q, R> call = next.newCall(method, options);
                        yield method.getType() == MethodDescriptor.MethodType.UNARY
                                ? new DoubledCall<>(call, late(from, next.newCall(method, options)))
                                : call;
                    }
                    case null -> next.newCall(method, options);
                };
            }
        };
    }

    private <Q, R> ClientCall<Q, R> late(SimulatedHost from, ClientCall<Q, R> call) {
        return new TroubledCall<>(call, true).after(world, from, random.nextLong(LATEST));
    }

    private static long patience(CallOptions options) {
        Deadline deadline = options.getDeadline();
        return deadline == null ? GIVEN_UP : deadline.timeRemaining(TimeUnit.NANOSECONDS);
    }

    private final class LostCall<Q, R> extends ClientCall<Q, R> {
        private final SimulatedHost host;
        private final Executor executor;

        private final long noticed;

        /** @param noticed the nanoseconds after which the caller notices */
        LostCall(SimulatedHost host, @Nullable Executor executor, long noticed) {
            this.host = host;
            this.noticed = noticed;
            this.executor = executor == null ? host : executor;
        }

        @Override
        public void start(Listener<R> listener, Metadata headers) {
            Status lost = Status.UNAVAILABLE.withDescription("the network is cut");
            var _ = world.alarm(
                    host,
                    noticed,
                    () -> host.execute(() -> executor.execute(() -> listener.onClose(lost, new Metadata()))));
        }

        @Override
        public void request(int messages) {}

        @Override
        public void cancel(@Nullable String message, @Nullable Throwable cause) {}

        @Override
        public void halfClose() {}

        @Override
        public void sendMessage(Q message) {}
    }
}
