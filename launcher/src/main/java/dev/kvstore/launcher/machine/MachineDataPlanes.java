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
 * The data planes of this machine, looked at once a second: a question for the machine's health costs them nothing. A
 * drain that is wanted is told again to a data plane that was started anew meanwhile. Thread-safe.
 */
public final class MachineDataPlanes {
    /** Between two looks. */
    static final Duration LOOK = Duration.ofSeconds(1);

    /** How long a data plane that has served may be away before the machine is ill: it is started again in less. */
    static final Duration RESTART = Duration.ofSeconds(15);

    private static final Duration CONNECT = Duration.ofSeconds(1);

    /** A data plane, and when it was last found ready; null if never. */
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
     * @param name as in {@code node 0}
     * @param up whether it takes calls
     * @param drain empty if it does not answer
     */
    record ProcessHealth(String name, boolean up, Optional<DrainState> drain) {}

    /**
     * The machine's health.
     *
     * @param ready whether every data plane takes calls, or is away for less than {@link #RESTART}
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
     * @param nanoTime of {@link System#nanoTime}
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
     * A certificate names the machine as clients know it; these are processes that were started here, asked by their
     * address.
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

    /** Looks at all, once a second, until this thread is interrupted. */
    public void watch() throws InterruptedException {
        while (true) {
            look();
            Thread.sleep(LOOK);
        }
    }

    /** Looks at all once. */
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

    /** The machine's health of at most a second ago. */
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

    /** One that drains is away on purpose, and does not come back soon. */
    private static boolean isUp(SeenDataPlane seen, long now) {
        Long readyAt = seen.readyAt;
        boolean drains = seen.drain.map(DrainState::draining).orElse(false);
        return seen.ready || (readyAt != null && now - readyAt < RESTART.toNanos() && !drains);
    }

    /**
     * Has all drained, or takes this wish back and has them take calls if nobody else wants them drained.
     *
     * @return how far they are
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

    /** How far the drain is. */
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
