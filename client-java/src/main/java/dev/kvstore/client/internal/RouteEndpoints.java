package dev.kvstore.client.internal;

import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.internal.http2.Nanos;
import dev.kvstore.client.internal.routing.Picker;
import dev.kvstore.client.internal.routing.Route;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The data planes of the current route, and the choice among them for an attempt. Thread-safe. */
public final class RouteEndpoints {
    private static final Logger LOG = LoggerFactory.getLogger(RouteEndpoints.class);

    private record EndpointRefusal(ErrorCode code, String text) {}

    private record KnownEndpoint(Route.Target target, Endpoint endpoint) {}

    private final Function<Route.Target, Endpoint> connect;
    private final RoutedHosts hosts;
    private final Time time;
    private final LiveCounters counters;
    private final Picker<Endpoint> picker = new Picker<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<Endpoint> retired = new ArrayList<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile Map<String, KnownEndpoint> known = Map.of();
    private volatile boolean ready;
    private @Nullable EndpointRefusal refusal;
    private String waitingFor = "the first route";

    /**
     * @param connect makes a data plane without connections
     * @param hosts hosts that data planes may have
     */
    public RouteEndpoints(
            Function<Route.Target, Endpoint> connect, RoutedHosts hosts, Time time, LiveCounters counters) {
        this.connect = connect;
        this.hosts = hosts;
        this.time = time;
        this.counters = counters;
    }

    List<Endpoint> all() {
        return known.values().stream().map(KnownEndpoint::endpoint).toList();
    }

    /** The data planes of the route, and former ones that still have open calls. */
    public List<Endpoint> inUse() {
        lock.lock();
        try {
            retired.removeIf(Endpoint::closed);
            List<Endpoint> inUse = new ArrayList<>(all());
            inUse.addAll(retired);
            return inUse;
        } finally {
            lock.unlock();
        }
    }

    /** A latch that opens when the client is closed. */
    CountDownLatch closing() {
        return closing;
    }

    public boolean isClosed() {
        return closing.getCount() == 0;
    }

    boolean ready() {
        return ready;
    }

    /**
     * Uses a new route. Open calls at data planes that left it go on. A route without data planes changes nothing if
     * the present route has some, since these may still serve.
     */
    public void follow(Route route) {
        lock.lock();
        try {
            if (isClosed()) {
                return;
            }
            Route usable = usable(route);
            retired.removeIf(Endpoint::closed);
            if (usable.size() == 0) {
                empty(route);
                return;
            }
            Map<String, KnownEndpoint> next = new HashMap<>();
            usable.levels().stream()
                    .flatMap(level -> level.targets().stream())
                    .forEach(target -> next.put(target.id(), keep(target)));
            Set<Endpoint> staying =
                    next.values().stream().map(KnownEndpoint::endpoint).collect(Collectors.toSet());
            List<Endpoint> gone = all().stream()
                    .filter(endpoint -> !staying.contains(endpoint))
                    .toList();
            if (!next.keySet().equals(known.keySet()) || !gone.isEmpty()) {
                LOG.info(
                        "route {}: {} processes in {} levels ({} gone)",
                        route.version(),
                        next.size(),
                        usable.levels().size(),
                        gone.size());
            }
            picker.follow(
                    usable,
                    target -> Objects.requireNonNull(next.get(target.id())).endpoint(),
                    time.nanos());
            known = Map.copyOf(next);
            retired.addAll(gone);
            gone.forEach(Endpoint::retire);
            counters.route = route.version();
            ready = true;
            refusal = null;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void empty(Route route) {
        if (ready) {
            LOG.warn("route {} has no process that can be used; the route before stays in use", route.version());
            return;
        }
        if (route.size() > 0) {
            refusal = new EndpointRefusal(
                    ErrorCode.UNAVAILABLE,
                    "none of the " + route.size() + " processes of the route is at a host that this client trusts: "
                            + hosts);
            changed.signalAll();
            return;
        }
        refusal = new EndpointRefusal(
                ErrorCode.UNAVAILABLE, "no process serves the resource at present, says the control plane");
        changed.signalAll();
    }

    /**
     * A route without the data planes that cannot be used: named twice, or at an address that is wrong or not trusted.
     */
    private Route usable(Route route) {
        Set<String> names = new HashSet<>();
        return new Route(
                route.version(),
                route.levels().stream()
                        .map(level -> new Route.Level(
                                level.region(),
                                level.share(),
                                level.targets().stream()
                                        .filter(target -> usable(target) && names.add(target.id()))
                                        .toList()))
                        .toList());
    }

    private boolean usable(Route.Target target) {
        try {
            return hosts.mayBe(target.id(), EndpointAddress.parse(target.address()));
        } catch (IllegalArgumentException e) {
            LOG.warn("process {} is left out: its address \"{}\" is not host:port", target.id(), target.address());
            return false;
        }
    }

    private KnownEndpoint keep(Route.Target target) {
        KnownEndpoint old = known.get(target.id());
        if (old == null || !old.target().address().equals(target.address())) {
            return new KnownEndpoint(target, connect.apply(target));
        }
        if (!old.target().instance().equals(target.instance())) {
            old.endpoint().health().forget(time.nanos());
        }
        return new KnownEndpoint(target, old.endpoint());
    }

    /**
     * Notes that the control plane refuses a route, and that a retry would not help. Operations fail with this reason
     * until a route comes.
     */
    void refuse(ErrorCode code, String text) {
        lock.lock();
        try {
            if (!ready) {
                refusal = new EndpointRefusal(code, text);
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Notes why there is no route yet. */
    void waiting(String why) {
        lock.lock();
        try {
            waitingFor = why;
            refusal = null;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for the first route.
     *
     * @throws KvStoreException if the route was refused, none came within {@code patience}, or the client is closed
     */
    void await(Duration patience) {
        if (isClosed()) {
            throw Errors.clientClosed();
        }
        if (ready) {
            return;
        }
        long left = Nanos.of(patience);
        try {
            lock.lockInterruptibly();
            try {
                while (!ready && refusal == null && !isClosed() && left > 0) {
                    left = changed.awaitNanos(left);
                }
                if (ready) {
                    return;
                }
                if (refusal != null) {
                    throw new KvStoreException(refusal.code(), refusal.text());
                }
                if (isClosed()) {
                    throw Errors.clientClosed();
                }
                throw new KvStoreException(ErrorCode.DEADLINE_EXCEEDED, "there was no route in time: " + waitingFor);
            } finally {
                lock.unlock();
            }
        } catch (InterruptedException e) {
            throw Errors.interrupted();
        }
    }

    /** The data plane for an attempt. There must be a route. */
    Picker.Choice<Endpoint> pick(long key, Set<Endpoint> tried) {
        Picker.Choice<Endpoint> choice = picker.pick(key, tried, time.nanos());
        if (choice == null) {
            throw new KvStoreException(ErrorCode.UNAVAILABLE, "there is no process to go to");
        }
        counters.level = choice.level();
        if (choice.level() != picker.home(key)) {
            counters.failovers.increment();
        }
        return choice;
    }

    /** Whether there is a healthy data plane that was not tried. */
    boolean hasBeyond(Set<Endpoint> tried, long now) {
        return picker.hasBeyond(tried, now);
    }

    void answered(Endpoint endpoint, long began) {
        if (endpoint.health().answered(began)) {
            LOG.info("process {} answers again", endpoint);
        }
    }

    void failed(Endpoint endpoint, long began, boolean unreachable, String why) {
        if (endpoint.health().failed(began, time.nanos(), unreachable)) {
            ejected(endpoint, why);
        }
    }

    /** Notes that the data plane keeps its connections and sends nothing. */
    void frozen(Endpoint endpoint, long began) {
        failed(endpoint, began, true, "it does not answer, and neither when asked for its health");
    }

    void timedOut(Endpoint endpoint, long began) {
        if (endpoint.health().timedOut(began, time.nanos())) {
            ejected(endpoint, "several operations in a row met their deadlines there without an answer");
        }
    }

    private void ejected(Endpoint endpoint, String why) {
        counters.ejections.increment();
        if (endpoint.health().ejections() == 1) { // only the first ejection in a row is worth a log line
            LOG.warn("process {} gets no operations for a while: {}", endpoint, why);
        }
    }

    /** Ends open calls; waits 5 s at most. */
    public void close() {
        List<Endpoint> all;
        lock.lock();
        try {
            closing.countDown();
            changed.signalAll();
            all = new ArrayList<>(all());
            all.addAll(retired);
        } finally {
            lock.unlock();
        }
        all.forEach(Endpoint::shutdownNow);
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(Channels.CLOSE_SECONDS);
        try {
            for (Endpoint endpoint : all) {
                endpoint.awaitClosed(until - System.nanoTime());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
