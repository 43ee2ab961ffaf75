package dev.kvstore.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Stands in front of an HTTP service, such as Azurite, and injects faults into some requests. The choice of requests
 * depends only on a seed and on their order. Thread-safe.
 */
public final class FaultProxy implements AutoCloseable {
    private static final int ONE_IN = 20;
    private static final Duration READ_LATENCY = Duration.ofMillis(20);
    private static final Duration WRITE_LATENCY = Duration.ofMillis(40);
    private static final int BACKLOG = 500;

    private final URI service;
    private final long seed;
    private final Duration stall;
    private final ServerSocket listener;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicLong requests = new AtomicLong();
    private final Map<Fault, AtomicInteger> injected = new ConcurrentHashMap<>();
    private volatile Fault fault = Fault.NONE;

    /**
     * Makes a proxy without faults.
     *
     * @param service the URL of the service, with scheme http
     * @param stall the delay of a stalled answer
     */
    public FaultProxy(URI service, long seed, Duration stall) throws IOException {
        this.service = service;
        this.seed = seed;
        this.stall = stall;
        this.listener = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().name("fault-proxy").start(this::accept);
    }

    /** The service's address through this proxy. */
    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort() + service.getPath());
    }

    /** Sets the only fault from now on. */
    public void inject(Fault next) {
        fault = next;
    }

    /** The number of requests so far. */
    public long requests() {
        return requests.get();
    }

    /** The number of injections of a fault. */
    public int injected(Fault kind) {
        return injected.getOrDefault(kind, new AtomicInteger()).get();
    }

    /** The number of connections that clients have open. */
    public int connections() {
        return sockets.size();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                sockets.add(client);
                Thread.ofVirtual().name("fault-proxy-connection").start(() -> serve(client));
            }
        } catch (IOException e) {
            // The proxy is closed.
        }
    }

    private void serve(Socket client) {
        try (client) {
            HttpRelay relay = new HttpRelay(client);
            for (String head = relay.head(); !head.isEmpty(); head = relay.head()) {
                Fault chosen = choose(requests.getAndIncrement());
                // Each request has its own connection: the service closes connections that wait too long for one.
                try (Socket server = new Socket(service.getHost(), service.getPort())) {
                    if (!exchange(chosen, head, client, relay, new HttpRelay(server))) {
                        return;
                    }
                }
            }
        } catch (IOException e) {
            // One of the two connections is gone, so the other is closed.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            sockets.remove(client);
        }
    }

    private Fault choose(long number) {
        Fault now = fault;
        boolean hit = now == Fault.LATENCY || new SplittableRandom(seed + number).nextInt(ONE_IN) == 0;
        if (now == Fault.NONE || !hit) {
            return Fault.NONE;
        }
        injected.computeIfAbsent(now, _ -> new AtomicInteger()).incrementAndGet();
        return now;
    }

    /** Relays a request and its answer. Returns whether the connection goes on. */
    private boolean exchange(Fault chosen, String head, Socket client, HttpRelay relay, HttpRelay httpRelay)
            throws IOException, InterruptedException {
        switch (chosen) {
            case ERROR, THROTTLE -> {
                relay.skip(HttpRelay.length(head));
                relay.send(
                        chosen == Fault.ERROR
                                ? "HTTP/1.1 500 Internal Server Error\r\nx-ms-error-code: InternalError\r\nContent-Length: 0\r\n\r\n"
                                : "HTTP/1.1 503 Server Busy\r\nx-ms-error-code: ServerBusy\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n");
                return true;
            }
            case RESET -> {
                if (new SplittableRandom(seed ^ requests.get()).nextBoolean()) {
                    reset(client);
                    return false;
                }
            }
            case LATENCY -> Thread.sleep(head.startsWith("PUT ") ? WRITE_LATENCY : READ_LATENCY);
            case NONE, STALL, TRUNCATE -> {}
        }
        httpRelay.send(head);
        relay.copy(httpRelay, HttpRelay.length(head));
        return answer(chosen, head, client, relay, httpRelay);
    }

    private boolean answer(Fault chosen, String request, Socket client, HttpRelay relay, HttpRelay httpRelay)
            throws IOException, InterruptedException {
        String head = httpRelay.head();
        if (head.isEmpty()) {
            return false;
        }
        if (chosen == Fault.STALL) {
            Thread.sleep(stall);
        }
        boolean spoilt = chosen == Fault.RESET || chosen == Fault.TRUNCATE;
        long length = request.startsWith("HEAD ") || head.startsWith("HTTP/1.1 304") ? 0 : HttpRelay.length(head);
        if (spoilt && length == 0) {
            reset(client);
            return false;
        }
        relay.send(head);
        if (HttpRelay.isChunked(head)) {
            httpRelay.copyChunks(relay);
            return true;
        }
        httpRelay.copy(relay, spoilt ? length / 2 : length);
        if (chosen == Fault.RESET) {
            reset(client);
        }
        return !spoilt;
    }

    private static void reset(Socket client) throws IOException {
        client.setSoLinger(true, 0);
        client.close();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket client : sockets) {
            client.close();
        }
    }
}
