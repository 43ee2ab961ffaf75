package dev.kvstore.dataplane.account.control;

import dev.kvstore.dataplane.account.Credential;
import dev.kvstore.dataplane.account.Resolution;
import dev.kvstore.dataplane.account.StoreCache;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.MemoryStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;

/** A control plane and resolvers that ask it, by a clock that goes on when it is told to. */
public final class ControlPlaneFixture implements AutoCloseable {
    public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    /** Nobody falls silent by chance. */
    static final ResolverBounds PATIENT = patient(64);

    static ResolverBounds patient(int questions) {
        return new ResolverBounds(
                Duration.ofSeconds(20),
                Duration.ofSeconds(60),
                Duration.ofMillis(5),
                Duration.ofMillis(50),
                1 << 20,
                100,
                questions);
    }

    private final ControlPlanePeer peer = new ControlPlanePeer();
    private final AtomicReference<Instant> now = new AtomicReference<>(START);
    private final AtomicLong ticker = new AtomicLong();
    private final BlockStore blobs = new MemoryStore();
    private final StoreCache stores = new StoreCache(_ -> blobs);
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final List<ControlPlaneAccountResolver> opened = new ArrayList<>();

    public ControlPlanePeer peer() {
        return peer;
    }

    BlockStore blobs() {
        return blobs;
    }

    /** Lets the resolvers' clocks go on. */
    public void advance(Duration time) {
        setClock(time);
        ticker.addAndGet(time.toNanos());
    }

    /** Sets the clock that all know, forward or back, and not the one that only goes on. */
    void setClock(Duration by) {
        now.updateAndGet(at -> at.plus(by));
    }

    /** A resolver without a file, whoever is there to be asked. */
    public ControlPlaneAccountResolver open() {
        return open(Optional.empty(), PATIENT, List.of(peer));
    }

    /** A resolver without a file that hears of changes. */
    public ControlPlaneAccountResolver watching() {
        return watching(open(Optional.empty(), PATIENT, List.of(peer)));
    }

    /** A resolver with a file that hears of changes. */
    ControlPlaneAccountResolver watching(Path folder) {
        return watching(open(Optional.of(folder), PATIENT, List.of(peer)));
    }

    /** A resolver, whoever is there to be asked. */
    ControlPlaneAccountResolver open(Optional<Path> folder, ResolverBounds bounds, List<ControlPlanePeer> peers) {
        return open(folder, bounds, peers, ControlPlanePeer.TOKEN);
    }

    ControlPlaneAccountResolver open(
            Optional<Path> folder, ResolverBounds bounds, List<ControlPlanePeer> peers, String token) {
        return open(folder, bounds, peers, FollowedToken.fixed(new JoinToken(token)));
    }

    ControlPlaneAccountResolver open(
            Optional<Path> folder, ResolverBounds bounds, List<ControlPlanePeer> peers, FollowedToken token) {
        ControlPlaneAccountResolver resolver = new ControlPlaneAccountResolver(
                new ControlPlaneReplicas(
                        peers.stream()
                                .map(one -> new ControlPlaneReplica("127.0.0.1", one.port()))
                                .toList(),
                        _ -> null,
                        token,
                        () -> OwnSecret.of(Objects.requireNonNull(token.current()))),
                new ControlPlaneAccountResolver.ResolverSelf("node", "here"),
                folder,
                stores,
                new MemoryPool(16 << 20, Duration.ofSeconds(5)),
                new SplittableRandom(1),
                executor,
                bounds,
                now::get,
                ticker::get);
        opened.add(resolver);
        return resolver;
    }

    static ControlPlaneAccountResolver watching(ControlPlaneAccountResolver resolver) {
        Awaitility.await().until(resolver::isWatching);
        return resolver;
    }

    static void notWatching(ControlPlaneAccountResolver resolver) {
        Awaitility.await().until(() -> !resolver.isWatching() && resolver.flaw().isPresent());
    }

    /** Runs what tells of so many keys and resources, and waits until that has been heard. */
    public static void heard(ControlPlaneAccountResolver resolver, int changes, Runnable telling) {
        long before = resolver.tally().changes();
        telling.run();
        Awaitility.await().until(() -> resolver.tally().changes() == before + changes);
    }

    static Resolution resolve(ControlPlaneAccountResolver resolver, String apiKey, String resourceName) {
        return resolver.resolve(credential(apiKey), resourceName);
    }

    static Credential credential(String apiKey) {
        Credential credential = Credential.of(apiKey);
        if (credential == null) {
            throw new IllegalArgumentException(apiKey);
        }
        return credential;
    }

    @Override
    public void close() {
        opened.forEach(ControlPlaneAccountResolver::close);
        peer.close();
        executor.close();
    }
}
