package dev.kvstore.dataplane.storage.http;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import com.github.benmanes.caffeine.cache.Ticker;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/1.1 towards storage. Event loops move bytes and nothing else: answers are handed to callers on virtual threads,
 * but for the pieces of a body. Retries nothing. Thread-safe.
 */
public final class NettyHttpClient implements AutoCloseable {
    /** How long an unused host is remembered: far longer than a request takes, so that requests can end. */
    static final Duration IDLE = Duration.ofMinutes(10);

    /** Most remembered hosts: far more than one process serves accounts of. */
    private static final int MOST_HOSTS = 10_000;

    private final HttpOptions options;
    private final Loops loops = Loops.start(Runtime.getRuntime().availableProcessors());
    private final AddressCache addresses;
    private final Tls tls;
    private final ConnectionBudget budget;
    private final ServiceMeters.AllServices services;
    private final Executor executor = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("storage-answer-", 0).factory());
    /** The connections to hosts, which tenants choose; forgotten once no call uses the host. */
    private final Cache<HttpOrigin, ConnectionPool> connections;

    private final AtomicBoolean closed = new AtomicBoolean();

    /** A client that resolves names as this machine does, and trusts the JDK's authorities. */
    public NettyHttpClient(HttpOptions options, MeterRegistry registry) {
        this(options, AddressCache.ofSystem(options.dnsTtl()), Tls.trusting(null), registry);
    }

    NettyHttpClient(HttpOptions options, AddressCache addresses, Tls tls, MeterRegistry registry) {
        this(options, addresses, tls, registry, Ticker.systemTicker());
    }

    NettyHttpClient(HttpOptions options, AddressCache addresses, Tls tls, MeterRegistry registry, Ticker ticker) {
        this.connections = Caffeine.newBuilder()
                .expireAfterAccess(IDLE)
                .maximumSize(MOST_HOSTS)
                .ticker(ticker)
                .executor(Runnable::run)
                .removalListener((@Nullable HttpOrigin _, @Nullable ConnectionPool gone, RemovalCause _) -> {
                    if (gone != null) {
                        gone.close();
                    }
                })
                .build();
        this.options = options;
        this.addresses = addresses;
        this.tls = tls;
        this.budget = new ConnectionBudget(options.allConnections());
        this.services = new ServiceMeters.AllServices(registry);
    }

    /**
     * Sends a request. Its caller is told of the answer on a virtual thread.
     *
     * @return gives the answer up; may be called at any time, also more than once
     */
    public Runnable send(HttpOrigin origin, HttpCall call, HttpCall.HttpCaller caller) {
        Exchange exchange = new Exchange(call, caller, executor);
        if (closed.get()) {
            exchange.refuse(closedClient());
            return exchange::cancel;
        }
        call.complete(origin);
        ConnectionPool pool = connections.get(origin, this::open);
        if (closed.get()) {
            // Closed meanwhile, and perhaps before this pool was made.
            pool.close();
        }
        pool.run(exchange);
        return exchange::cancel;
    }

    /** Why no request has an answer any more. */
    static IOException closedClient() {
        return new IOException("the client is closed");
    }

    /** Hosts that are not forgotten. */
    int hosts() {
        connections.cleanUp();
        return connections.asMap().size();
    }

    /** A future that is done once a closed client has no thread and no connection left. */
    Future<?> ended() {
        return loops.group().terminationFuture();
    }

    private ConnectionPool open(HttpOrigin origin) {
        return new ConnectionPool(
                origin, options, loops, addresses, origin.tls() ? tls : null, budget, services.of(origin));
    }

    /** Closes all connections; requests under way fail, and later ones too. Closing again does nothing. */
    @Override
    public void close() {
        if (!closed.getAndSet(true)) {
            connections.invalidateAll();
            var _ = loops.group().shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }
}
