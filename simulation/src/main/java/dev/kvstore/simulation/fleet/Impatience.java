package dev.kvstore.simulation.fleet;

import dev.kvstore.simulation.world.SimulatedHost;
import dev.kvstore.simulation.world.World;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.MethodDescriptor;
import java.util.concurrent.TimeUnit;

/**
 * The time that a client waits for each of its calls.
 *
 * @param cancels whether the client cancels the call then; if not, the call has a deadline, which the server knows
 */
public record Impatience(long millis, boolean cancels) {
    static final Impatience USUAL = new Impatience(20_000, false);

    /** An interceptor that ends each call of a host after this time. */
    ClientInterceptor of(SimulatedHost host) {
        return new ClientInterceptor() {
            @Override
            public <Q, R> ClientCall<Q, R> interceptCall(
                    MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
                if (!cancels) {
                    return next.newCall(method, options.withDeadlineAfter(millis, TimeUnit.MILLISECONDS));
                }
                ClientCall<Q, R> call = next.newCall(method, options);
                long nanos = TimeUnit.MILLISECONDS.toNanos(millis);
                var _ = World.current()
                        .alarm(host, nanos, () -> host.execute(() -> call.cancel("not wanted any more", null)));
                return call;
            }
        };
    }
}
