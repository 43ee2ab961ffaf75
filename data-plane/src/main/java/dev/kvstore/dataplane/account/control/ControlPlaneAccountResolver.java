package dev.kvstore.dataplane.account.control;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.account.AccountResolver;
import dev.kvstore.dataplane.account.Credential;
import dev.kvstore.dataplane.account.KeyStanding;
import dev.kvstore.dataplane.account.Party;
import dev.kvstore.dataplane.account.Resolution;
import dev.kvstore.dataplane.account.StoreCache;
import dev.kvstore.dataplane.memory.Allocator;
import dev.kvstore.dataplane.rate.Recurring;
import dev.kvstore.protocol.control.v1.WatchRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Resolves keys and resources by the control plane's answers: by a kept answer as long as it holds, otherwise by
 * asking. Without the control plane kept answers are used for a day, or for as long as their account allows; everything
 * else is {@link Resolution.Unanswered}. Thread-safe.
 */
public final class ControlPlaneAccountResolver implements AccountResolver {
    /**
     * This data plane, as it names itself to the control plane.
     *
     * @param node the name of this process
     * @param region its region; empty if none is set
     */
    public record ResolverSelf(String node, String region) {}

    private final ControlPlaneReplicas plane;
    private final ResolutionCache resolutions;
    private final ResolutionClient client;
    private final ResolutionFileWriter writer;
    private final WatchClient watch;
    private final ResolverCounters counters = new ResolverCounters();
    private final ResolverBounds bounds;
    private final ServiceClock clock;
    private final Recurring recurring;

    /**
     * Loads the kept answers from the folder and begins to watch. Does not wait for the control plane.
     *
     * @param folder of the file; none if empty. Must exist
     * @param stores opens storages for trials
     * @param executor a virtual thread per task
     */
    public ControlPlaneAccountResolver(
            ControlPlaneReplicas plane,
            ResolverSelf self,
            Optional<Path> folder,
            StoreCache stores,
            Allocator allocator,
            RandomGenerator random,
            Executor executor) {
        this(
                plane,
                self,
                folder,
                stores,
                allocator,
                random,
                executor,
                ResolverBounds.USUAL,
                InstantSource.system(),
                Ticker.systemTicker());
    }

    ControlPlaneAccountResolver(
            ControlPlaneReplicas plane,
            ResolverSelf self,
            Optional<Path> folder,
            StoreCache stores,
            Allocator allocator,
            RandomGenerator random,
            Executor executor,
            ResolverBounds bounds,
            InstantSource wall,
            Ticker ticker) {
        this.plane = plane;
        this.bounds = bounds;
        this.clock = new ServiceClock(wall, ticker);
        this.resolutions = new ResolutionCache(bounds);
        this.client = new ResolutionClient(plane, self.region(), resolutions, counters, bounds, clock, executor);
        this.writer = new ResolutionFileWriter(resolutions, file(folder, self, plane), ticker);
        StorageTrial trial = new StorageTrial(stores, allocator, Ticker.systemTicker(), random);
        this.watch = new WatchClient(
                plane,
                WatchRequest.newBuilder()
                        .setNode(self.node())
                        .setRegion(self.region())
                        .build(),
                resolutions,
                writer,
                new Prober(plane, trial, self.node(), executor),
                counters,
                bounds,
                clock,
                random);
        writer.load(clock.get());
        var _ = Thread.ofVirtual().name("accounts-watch").start(watch);
        this.recurring = new Recurring("accounts-file", "answers of the control plane are kept", writer::tick);
        recurring.start(Duration.ofSeconds(1), Duration.ofSeconds(1));
    }

    /** The file of this process's answers, which it finds again by its name; null without a folder. */
    private static @Nullable AnswersFile file(Optional<Path> folder, ResolverSelf self, ControlPlaneReplicas plane) {
        return folder.map(path -> new AnswersFile(
                        path.resolve("accounts-" + self.node()), self.region(), () -> plane.key(AnswersFile.PURPOSE)))
                .orElse(null);
    }

    @Override
    public KeyStanding standing(Credential credential) {
        KeyStanding good = resolutions.standing(credential);
        if (good != KeyStanding.UNHEARD) {
            return good;
        }
        Resolution.UnknownKey unknown = resolutions.unknown(credential, clock.get());
        return unknown == null ? KeyStanding.UNHEARD : standing(unknown);
    }

    private static KeyStanding standing(Resolution.UnknownKey unknown) {
        return unknown.expired() ? KeyStanding.EXPIRED : KeyStanding.UNKNOWN;
    }

    @Override
    public KeyStanding identify(Credential credential) {
        KeyStanding known = standing(credential);
        return known == KeyStanding.UNHEARD || known == KeyStanding.DOUBTED
                ? switch (client.ask(ResolutionSubject.ofKeyAlone(credential))) {
                    case Resolution.UnknownKey unknown -> standing(unknown);
                    case Resolution.Unanswered _ -> KeyStanding.UNHEARD;
                    case Resolution.Granted _, Resolution.NotGranted _ -> KeyStanding.GOOD;
                }
                : known;
    }

    @Override
    public Party party(Credential credential) {
        return resolutions.party(credential);
    }

    @Override
    public int count() {
        return resolutions.size();
    }

    @Override
    public Resolution resolve(Credential credential, String resourceName) {
        Resolution known = known(credential, resourceName);
        return known == null ? client.ask(new ResolutionSubject(credential, resourceName)) : known;
    }

    @Override
    public @Nullable Resolution known(Credential credential, String resourceName) {
        ResolutionSubject subject = new ResolutionSubject(credential, resourceName);
        ClockMoment now = clock.get();
        CachedResolution resolution = resolutions.get(subject);
        if (resolution != null && resolution.serves(now, resolutions.confirmed(), bounds.silence())) {
            if (resolution.isDue(now)) {
                client.refresh(subject);
            }
            return resolution.at(now.time());
        }
        return resolutions.unknown(credential, now);
    }

    @Override
    public void refresh() {
        resolutions.forgetAll();
        writer.forgotten(_ -> true);
    }

    /** Whether the watch of changes is connected. */
    public boolean isWatching() {
        return watch.isConnected();
    }

    /** Why the watch is not connected; empty if it is, or was not tried yet. */
    public Optional<String> flaw() {
        return Optional.ofNullable(watch.flaw());
    }

    /** How long ago all answers were last confirmed; empty if they never were. */
    public Optional<Duration> confirmedAge() {
        return Optional.ofNullable(resolutions.confirmed()).map(clock.get()::since);
    }

    /** Whether the control plane was heard once, or there are answers from before. */
    public boolean isUseful() {
        return watch.wasEverConnected() || resolutions.size() > 0;
    }

    public ResolverCounters tally() {
        return counters;
    }

    /** Ends the watch, and writes the answers to the file. */
    @Override
    public void close() {
        watch.close();
        recurring.close();
        writer.close();
        plane.close();
    }
}
