package dev.kvstore.dataplane.storage.azure.http;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.Context;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import com.github.benmanes.caffeine.cache.Ticker;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.MalformedURLException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * HTTP/1.1 for Azure's SDK. Event loops move bytes and nothing else: answers are handed to the SDK on virtual threads,
 * but for the pieces of a body. Retries nothing. Thread-safe.
 */
public final class NettyHttpClient implements HttpClient, AutoCloseable {
    /**
     * Under this key the context of a request says {@code true} if the reader of the answer's body is done with each
     * piece before it returns: then the pieces are network memory, and otherwise copies on the heap.
     */
    public static final String LEND = "kvstore.lend";

    // The key by which the SDK's generated code marks answers that it decodes as a whole.
    private static final String COLLECT = "azure-eagerly-read-response";

    /** Far longer than a request takes: requests under way end by themselves. */
    static final Duration IDLE = Duration.ofMinutes(10);

    /** Far more hosts than one process serves accounts of. */
    private static final int MOST_HOSTS = 10_000;

    private final HttpOptions options;
    private final Loops loops = Loops.start(Runtime.getRuntime().availableProcessors());
    private final AddressCache names;
    private final Tls tls;
    private final ConnectionBudget budget;
    private final ServiceMeters.AllServices meters;
    private final Executor executor = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("storage-answer-", 0).factory());
    /** The connections to hosts, which tenants choose; forgotten once no call uses the host. */
    private final Cache<HttpOrigin, ConnectionPool> connections;

    private final AtomicBoolean closed = new AtomicBoolean();

    /** A client that resolves names as this machine does, and trusts the JDK's authorities. */
    public NettyHttpClient(HttpOptions options, MeterRegistry registry) {
        this(options, AddressCache.ofSystem(options.dnsTtl()), Tls.trusting(null), registry);
    }

    NettyHttpClient(HttpOptions options, AddressCache names, Tls tls, MeterRegistry registry) {
        this(options, names, tls, registry, Ticker.systemTicker());
    }

    NettyHttpClient(HttpOptions options, AddressCache names, Tls tls, MeterRegistry registry, Ticker ticker) {
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
        this.names = names;
        this.tls = tls;
        this.budget = new ConnectionBudget(options.allConnections());
        this.meters = new ServiceMeters.AllServices(registry);
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request) {
        return send(request, Context.NONE);
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request, Context context) {
        return Mono.create(sink -> start(request, context, sink));
    }

    private void start(HttpRequest request, Context context, MonoSink<HttpResponse> sink) {
        if (closed.get()) {
            sink.error(closedClient());
            return;
        }
        try {
            HttpOrigin origin = HttpOrigin.of(request.getUrl());
            Exchange.Wishes wishes =
                    new Exchange.Wishes(isTrue(context, COLLECT), isTrue(context, LEND), lease(context));
            Exchange exchange = new Exchange(request, Heads.of(request, origin), wishes, sink, executor);
            sink.onCancel(exchange::cancel);
            ConnectionPool pool = connections.get(origin, this::open);
            if (closed.get()) {
                // Closed meanwhile, and perhaps before this pool was made.
                pool.close();
            }
            pool.run(exchange);
        } catch (MalformedURLException | IllegalArgumentException e) {
            sink.error(new UnsendableRequestException(request.getUrl().getHost()));
        }
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

    /** Done once a client that was closed has no thread and no connection left. */
    Future<?> ended() {
        return loops.group().terminationFuture();
    }

    private ConnectionPool open(HttpOrigin origin) {
        return new ConnectionPool(origin, options, loops, names, origin.tls() ? tls : null, budget, meters.of(origin));
    }

    private static boolean isTrue(Context context, String key) {
        return Boolean.TRUE.equals(context.getData(key).orElse(false));
    }

    private static @Nullable Lease lease(Context context) {
        return (Lease) context.getData(Lease.KEY).orElse(null);
    }

    @Override
    public HttpResponse sendSync(HttpRequest request, Context context) {
        return Objects.requireNonNull(send(request, context).block());
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
