package dev.kvstore.client.internal;

import dev.kvstore.client.ErrorCode;
import dev.kvstore.protocol.control.v1.GetRouteRequest;
import dev.kvstore.protocol.control.v1.Route;
import dev.kvstore.protocol.control.v1.RouteServiceGrpc;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.BlockingClientCall;
import io.netty.channel.ConnectTimeoutException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches routes at one control plane or another for as long as the client is open. If the first answer is late, the
 * route that was kept on disk is used until the answer comes. One thread uses it, except {@link #close}.
 */
public final class RouteWatch implements Runnable, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RouteWatch.class);

    /** The wait for a first route before the kept one is used: longer than any answer takes. */
    static final Duration KEPT_AFTER = Duration.ofSeconds(1);

    /** The longest wait for the first answer, which normally comes at once. */
    static final Duration FIRST_ANSWER = Duration.ofSeconds(5);

    /** The longest silence of a watch: a message comes every 10 s at least, so three were lost. */
    static final Duration SILENCE = Duration.ofSeconds(30);

    /**
     * The number of attempts in a row without a listening control plane after which operations without a route fail at
     * once: two to three seconds, enough for a replica that restarts.
     */
    static final int NOBODY_ATTEMPTS = 6;

    static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final List<String> names;
    private final List<ManagedChannel> replicas;
    private final ApiKeyCredentials credentials;
    private final GetRouteRequest request;
    private final RouteEndpoints endpoints;
    private final RouteCache cache;
    private final RandomGenerator random;
    private final Thread thread;
    private volatile boolean closed;
    private volatile @Nullable BlockingClientCall<?, Route> call;
    private boolean cacheAsked;
    private boolean lost;

    /** Whether the control plane's last route assumed another region for this client than the one it named. */
    private boolean strange;

    /** The attempts in a row at which no control plane listened. */
    private int nobodyInRow;

    private Duration pause = FIRST_PAUSE;

    private RouteWatch(ClientOptions options, Channels channels, RouteEndpoints endpoints, RouteCache cache) {
        this.names = options.controlPlane();
        this.replicas = names.stream()
                .map(EndpointAddress::parse)
                .map(channels::control)
                .toList();
        this.credentials = channels.credentials();
        this.request = GetRouteRequest.newBuilder()
                .setResourceName(options.resource())
                .setRegion(options.region())
                .build();
        this.endpoints = endpoints;
        this.cache = cache;
        this.random = () -> ThreadLocalRandom.current().nextLong();
        this.thread = Threads.unstarted("kvstore-routes", this);
    }

    public static RouteWatch of(ClientOptions options, Channels channels, RouteEndpoints endpoints) {
        RouteCache cache = new RouteCache(
                options.routeCache(),
                options.controlPlane(),
                options.resource(),
                options.region(),
                InstantSource.system());
        return new RouteWatch(options, channels, endpoints, cache);
    }

    public void start() {
        NewThread.start(thread);
    }

    @Override
    public void run() {
        int turn = random.nextInt(replicas.size()); // otherwise all clients would begin at the same replica
        try {
            while (!closed) {
                int replica = turn++ % replicas.size();
                Status why = listen(replicas.get(replica));
                if (closed) {
                    return;
                }
                nobodyInRow = isUnreachable(why) ? nobodyInRow + 1 : 0;
                lost(names.get(replica), why);
                TimeUnit.NANOSECONDS.sleep(pause.multipliedBy(50 + random.nextInt(51))
                        .dividedBy(100)
                        .toNanos());
                pause = min(pause.multipliedBy(2), LONGEST_PAUSE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the client is closed
        }
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    /** Listens to one control plane until its watch ends. Returns why the watch ended. */
    private Status listen(ManagedChannel replica) throws InterruptedException {
        replica.resetConnectBackoff();
        BlockingClientCall<?, Route> mine = RouteServiceGrpc.newBlockingV2Stub(replica)
                .withCallCredentials(credentials)
                .watchRoute(request);
        call = mine;
        try {
            Route first = first(mine);
            while (first != null && !closed) {
                hear(first);
                first = read(mine, SILENCE);
            }
            return Status.UNAVAILABLE.withDescription("it ended the watch");
        } catch (TimeoutException e) {
            return Status.DEADLINE_EXCEEDED.withDescription("it sent nothing for too long");
        } catch (StatusException e) {
            return e.getStatus();
        } catch (RuntimeException | Error e) { // without this, nobody would receive routes any more
            LOG.error("a route could not be processed; it is asked for again", e);
            return Status.INTERNAL.withDescription("a route could not be processed: " + e.getMessage());
        } finally {
            mine.cancel("the watch is over", null);
        }
    }

    private @Nullable Route first(BlockingClientCall<?, Route> mine)
            throws InterruptedException, TimeoutException, StatusException {
        try {
            return read(mine, KEPT_AFTER);
        } catch (TimeoutException e) {
            useKept();
            return read(mine, FIRST_ANSWER.minus(KEPT_AFTER));
        }
    }

    private static @Nullable Route read(BlockingClientCall<?, Route> call, Duration patience)
            throws InterruptedException, TimeoutException, StatusException {
        return call.read(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void hear(Route route) {
        endpoints.follow(RouteReader.of(route));
        if (lost) {
            LOG.info("the control plane sends routes again");
        }
        lost = false;
        tellStrangeRegion(route.getRegion());
        pause = FIRST_PAUSE;
        cacheAsked = true; // the kept route is older than this one
        if (route.getLevelsCount() > 0) {
            cache.save(route);
        }
    }

    /** Logs once that the control plane does not know this client's region: without it, a typo sends calls far away. */
    private void tellStrangeRegion(String assumed) {
        boolean now = !request.getRegion().isEmpty() && !assumed.isEmpty() && !assumed.equals(request.getRegion());
        if (now && !strange) {
            LOG.warn(
                    "the control plane knows no region \"{}\", the region of this client; it assumes \"{}\", the home"
                            + " region of account {}",
                    request.getRegion(),
                    assumed,
                    request.getResourceName());
        }
        strange = now;
    }

    /** Whether the system reported at once that no process listens at the address, or that the host does not exist. */
    private static boolean isUnreachable(Status why) {
        for (Throwable cause = why.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof UnknownHostException
                    || (cause instanceof ConnectException && !(cause instanceof ConnectTimeoutException))) {
                return true;
            }
        }
        return false;
    }

    /** Logs the loss of the watch once, until it works again. */
    private void lost(String replica, Status why) {
        String said = "control plane " + replica + ": " + Errors.of(why, null).getMessage();
        switch (why.getCode()) {
            case PERMISSION_DENIED, UNAUTHENTICATED, INVALID_ARGUMENT, NOT_FOUND, UNIMPLEMENTED -> {
                pause = LONGEST_PAUSE;
                endpoints.refuse(
                        Errors.code(why.getCode()),
                        "the control plane at " + replica + " gives no route: " + Errors.words(why.getDescription()));
            }
            default -> {
                useKept();
                if (nobodyInRow >= Math.max(NOBODY_ATTEMPTS, replicas.size())) {
                    endpoints.refuse(
                            ErrorCode.UNAVAILABLE,
                            said + "; nothing listens at " + String.join(", ", names)
                                    + ": is that the gRPC address of the control plane?");
                } else {
                    endpoints.waiting(said);
                }
            }
        }
        if (!lost) {
            LOG.warn(
                    "{}; {}",
                    said,
                    endpoints.ready() ? "the route known before stays in use" : "it is asked again until it answers");
        }
        lost = true;
    }

    private void useKept() {
        if (cacheAsked) {
            return;
        }
        cacheAsked = true;
        Route kept = cache.load();
        if (kept != null) {
            LOG.warn("the control plane does not answer; the route kept from before is used until it does");
            endpoints.follow(RouteReader.of(kept));
        }
    }

    @Override
    public void close() {
        closed = true;
        BlockingClientCall<?, Route> under = call;
        if (under != null) {
            under.cancel("the client is closed", null);
        }
        thread.interrupt();
        replicas.forEach(ManagedChannel::shutdownNow);
        try {
            thread.join(TimeUnit.SECONDS.toMillis(Channels.CLOSE_SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
