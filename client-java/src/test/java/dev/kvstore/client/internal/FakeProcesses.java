package dev.kvstore.client.internal;

import dev.kvstore.client.ClientCounters;
import dev.kvstore.client.RetryOptions;
import dev.kvstore.client.TransportOptions;
import dev.kvstore.client.internal.FakeTransport.TransportCall;
import dev.kvstore.client.internal.routing.Route;
import dev.kvstore.testing.Patience;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Data planes behind {@link FakeTransport}s, and operations that go to them, on a clock that stands still. */
public final class FakeProcesses {
    private final AtomicLong now = new AtomicLong(1_000);
    private final Time time = new Time() {
        @Override
        public long nanos() {
            return now.get();
        }

        @Override
        public boolean await(CountDownLatch end, Duration most) {
            now.addAndGet(most.toNanos());
            return end.getCount() == 0;
        }
    };
    private final LiveCounters counters = new LiveCounters();
    private final BlockingQueue<TransportCall<?, ?>> begun = new LinkedBlockingQueue<>();
    private final Map<String, Endpoint> known = new ConcurrentHashMap<>();
    private final RouteEndpoints endpoints = new RouteEndpoints(this::process, RoutedHosts.any(), time, counters);
    private final RetryPolicy policy;

    /** @param names the data planes of the first route; without names there is no route yet */
    public FakeProcesses(RetryOptions retry, String... names) {
        this.policy = new RetryPolicy(retry, new RetryBudget(retry), () -> 0);
        if (names.length > 0) {
            endpoints.follow(Route.fixed(List.of(names)));
        }
    }

    private Endpoint process(Route.Target target) {
        Endpoint endpoint = new Endpoint(
                target.id(),
                target.address(),
                1,
                () -> new FakeTransport(begun::add),
                new ApiKeyCredentials("kv_a_b", true));
        known.put(target.id(), endpoint);
        return endpoint;
    }

    RouteEndpoints endpoints() {
        return endpoints;
    }

    Time time() {
        return time;
    }

    public LiveCounters live() {
        return counters;
    }

    public ClientCounters counters() {
        return counters.snapshot();
    }

    /** An operation that begins now. */
    public Operation operation(Duration deadline) {
        return new Operation(endpoints, policy, time, counters, 7, deadline);
    }

    public void pass(Duration duration) {
        now.addAndGet(duration.toNanos());
    }

    Endpoint process(String name) {
        return Objects.requireNonNull(known.get(name));
    }

    /** The calls that are open at all data planes. */
    public int underWay() {
        return known.values().stream().mapToInt(Endpoint::inFlight).sum();
    }

    /** Whether a data plane owes an answer, so that its silence counts. */
    public boolean owe() {
        return known.values().stream().anyMatch(Endpoint::owes);
    }

    /** Ends the client. */
    public void close() {
        endpoints.close();
    }

    /** The next call that begins, which is of this method, as soon as it begins. */
    public <Q, R> TransportCall<Q, R> next(MethodDescriptor<Q, R> method) throws InterruptedException {
        TransportCall<Q, R> call = cast(begun.poll(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS), method);
        if (call == null) {
            throw new AssertionError("no call of " + method.getFullMethodName() + " began");
        }
        return call;
    }

    /** The next call that has begun; null if there is none. */
    public <Q, R> @Nullable TransportCall<Q, R> poll(MethodDescriptor<Q, R> method) {
        return cast(begun.poll(), method);
    }

    @SuppressWarnings("unchecked")
    private static <Q, R> @Nullable TransportCall<Q, R> cast(
            @Nullable TransportCall<?, ?> call, MethodDescriptor<Q, R> method) {
        if (call != null && !call.method.equals(method.getFullMethodName())) {
            throw new AssertionError("a call of " + call.method);
        }
        return (TransportCall<Q, R>) call;
    }

    /** The options of a client with these sizes. */
    public static ClientOptions options(int partBytes, int readWindowBytes, int writeWindowBytes) {
        return new ClientOptions(
                List.of("127.0.0.1:8085"),
                List.of(),
                "",
                null,
                Duration.ZERO,
                "kv_test",
                "demo",
                Duration.ofSeconds(20),
                1,
                partBytes,
                readWindowBytes,
                64L << 20,
                writeWindowBytes,
                10,
                RetryOptions.DEFAULT,
                TransportOptions.DEFAULT,
                List.of(),
                false,
                false,
                null,
                null);
    }
}
