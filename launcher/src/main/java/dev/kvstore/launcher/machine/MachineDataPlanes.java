package dev.kvstore.launcher.machine;

import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The data planes of this machine, each checked once a second, so that questions for the machine's health cost them
 * nothing. A data plane that restarts during a drain is drained again. Thread-safe.
 */
public final class MachineDataPlanes {
    /** The time between two checks. */
    static final Duration LOOK = Duration.ofSeconds(1);

    /** The longest absence of a data plane that has served before the machine counts as ill: a restart takes less. */
    static final Duration RESTART = Duration.ofSeconds(15);

    private static final Duration CONNECT = Duration.ofSeconds(1);

    /** A data plane, and the time at which it was last ready; null if never. */
    private static final class SeenDataPlane {
        private final LocalDataPlane dataPlane;
        private @Nullable Long readyAt;
        private boolean ready;
        private Optional<DrainState> drain = Optional.empty();

        SeenDataPlane(LocalDataPlane dataPlane) {
            this.dataPlane = dataPlane;
        }
    }

    /**
     * A data plane's part in the machine's health.
     *
     * @param name the name, such as {@code node 0}
     * @param up whether it takes calls
     * @param drain the state of its drain; empty if it does not answer
     */
    record ProcessHealth(String name, boolean up, Optional<DrainState> drain) {}

    /**
     * The machine's health.
     *
     * @param ready whether every data plane takes calls, or has been away for less than {@link #RESTART}
     */
    record MachineHealth(boolean ready, List<ProcessHealth> parts) {
        MachineHealth {
            parts = List.copyOf(parts);
        }
    }

    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<SeenDataPlane> all;
    private final Set<DrainWish> wishes = EnumSet.noneOf(DrainWish.class);

    /**
     * @param https the HTTP addresses of the data planes, in the order of their nodes
     * @param nanoTime the clock, such as {@link System#nanoTime}
     */
    public MachineDataPlanes(List<InetSocketAddress> https, LongSupplier nanoTime) {
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT)
                .proxy(HttpClient.Builder.NO_PROXY)
                .sslContext(trustingItself())
                .sslParameters(new SSLParameters())
                .build();
        this.nanoTime = nanoTime;
        List<SeenDataPlane> seen = new ArrayList<>();
        for (InetSocketAddress http : https) {
            seen.add(new SeenDataPlane(new LocalDataPlane("data plane " + seen.size(), http, client)));
        }
        this.all = List.copyOf(seen);
    }

    /**
     * A context that trusts every certificate. A certificate names the machine for clients, while these processes were
     * started here and are reached by a local address.
     */
    private static SSLContext trustingItself() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new TrustsAll()}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has TLS", e);
        }
    }

    /** Checks all data planes once a second, until this thread is interrupted. */
    public void watch() throws InterruptedException {
        while (true) {
            look();
            Thread.sleep(LOOK);
        }
    }

    /** Checks all data planes once. */
    void look() throws InterruptedException {
        for (SeenDataPlane seen : all) {
            boolean ready = seen.dataPlane.isReady();
            DrainAnswer drain = isDrainWanted() ? seen.dataPlane.drain(true) : seen.dataPlane.drain();
            lock.lock();
            try {
                seen.ready = ready;
                seen.drain = drain.told();
                if (ready) {
                    seen.readyAt = nanoTime.getAsLong();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private boolean isDrainWanted() {
        lock.lock();
        try {
            return !wishes.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** The machine's health, at most a second old. */
    MachineHealth health() {
        lock.lock();
        try {
            long now = nanoTime.getAsLong();
            return new MachineHealth(
                    wishes.isEmpty() && all.stream().allMatch(seen -> isUp(seen, now)),
                    all.stream()
                            .map(seen -> new ProcessHealth(seen.dataPlane.name(), seen.ready, seen.drain))
                            .toList());
        } finally {
            lock.unlock();
        }
    }

    /** Whether a data plane counts as up. One that drains is away on purpose, and does not come back soon. */
    private static boolean isUp(SeenDataPlane seen, long now) {
        Long readyAt = seen.readyAt;
        boolean drains = seen.drain.map(DrainState::draining).orElse(false);
        return seen.ready || (readyAt != null && now - readyAt < RESTART.toNanos() && !drains);
    }

    /**
     * Drains all data planes, or takes this wish back: then they take calls again unless another wish remains.
     *
     * @return the progress of all together
     */
    DrainState drain(DrainWish by, boolean wanted) throws InterruptedException {
        boolean drained;
        lock.lock();
        try {
            if (wanted) {
                wishes.add(by);
            } else {
                wishes.remove(by);
            }
            drained = !wishes.isEmpty();
        } finally {
            lock.unlock();
        }
        DrainState state = DrainState.OVER;
        for (SeenDataPlane seen : all) {
            state = state.and(seen.dataPlane.drain(drained).counted());
        }
        return state;
    }

    /** The progress of the drain. */
    DrainState drain() throws InterruptedException {
        DrainState state = DrainState.OVER;
        for (SeenDataPlane seen : all) {
            state = state.and(seen.dataPlane.drain().counted());
        }
        return state;
    }

    private static final class TrustsAll extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, javax.net.ssl.SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, javax.net.ssl.SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
