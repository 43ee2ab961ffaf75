package dev.kvstore.simulation.fleet;

import dev.kvstore.simulation.world.SimulatedHost;
import dev.kvstore.simulation.world.World;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The ways between hosts: a call that begins while its way is cut fails. For one thread. */
final class Cables {
    /** A caller notices after this time that nobody answers. */
    private static final long NOTICED = Duration.ofSeconds(2).toNanos();

    private final World world;

    /** Until when the second of two hosts gets no calls of the first one. */
    private final Map<Ends, Long> cut = new HashMap<>();

    private record Ends(String from, String to) {}

    Cables(World world) {
        this.world = world;
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
                return cut.getOrDefault(ends, 0L) > world.nanos()
                        ? new LostCall<>(from, options.getExecutor())
                        : next.newCall(method, options);
            }
        };
    }

    private final class LostCall<Q, R> extends ClientCall<Q, R> {
        private final SimulatedHost host;
        private final Executor executor;

        LostCall(SimulatedHost host, @Nullable Executor executor) {
            this.host = host;
            this.executor = executor == null ? host : executor;
        }

        @Override
        public void start(Listener<R> listener, Metadata headers) {
            Status lost = Status.UNAVAILABLE.withDescription("the network is cut");
            var _ = world.alarm(
                    host,
                    NOTICED,
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
