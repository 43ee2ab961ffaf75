package dev.kvstore.dataplane.account.control;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import dev.kvstore.dataplane.account.Credential;
import dev.kvstore.dataplane.account.KeyStanding;
import dev.kvstore.dataplane.account.Party;
import dev.kvstore.dataplane.account.Resolution;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The control plane's answers that no later change concerns, within bounds. An answer is dropped if a change of its
 * subject arrived while it was under way. A look-up takes no lock; no method waits. Thread-safe.
 */
final class ResolutionCache {
    /**
     * The answers that are kept over a restart, at one moment.
     *
     * @param heard the last change that arrived; all changes up to it are included
     * @param confirmed when all answers were last known to hold; null if that is not known
     */
    record ResolutionSnapshot(
            long heard, @Nullable ClockMoment confirmed, Map<ResolutionSubject, CachedResolution> granted) {}

    /** Most keys remembered as good, so that questions about them do not wait behind unknown keys. */
    private static final int GOOD = 50_000;

    /**
     * A key that existed when the control plane was last asked.
     *
     * @param unchanged whether nothing about the key has changed since
     */
    private record GoodKey(Party party, boolean unchanged) {
        GoodKey doubted() {
            return new GoodKey(party, false);
        }
    }

    private final Cache<ResolutionSubject, CachedResolution> granted;
    private final Cache<ResolutionSubject, CachedResolution> refused;
    /**
     * A key that did not exist, or not any more, when the control plane was asked.
     *
     * @param expired whether the key has ended
     */
    private record UnknownCredential(boolean expired, ClockMoment since) {}

    private final Cache<Credential, UnknownCredential> unknown;
    private final Cache<Credential, GoodKey> good = cache(GOOD);

    private final Map<ResolutionSubject, ResolutionFlight> flights = new ConcurrentHashMap<>();
    // The lock is held only for moments: it orders answers that arrive and answers that are forgotten.
    private final Lock lock = new ReentrantLock();
    private long heard;
    private volatile @Nullable ClockMoment confirmed;
    private final AtomicLong revision = new AtomicLong();
    private final AtomicLong withdrawals = new AtomicLong();

    ResolutionCache(ResolverBounds bounds) {
        this.granted = Caffeine.newBuilder()
                .maximumWeight(bounds.grantedBytes())
                .weigher((ResolutionSubject _, CachedResolution resolution) -> resolution.weight())
                .executor(Runnable::run)
                .removalListener((@Nullable ResolutionSubject _, @Nullable CachedResolution _, RemovalCause cause) -> {
                    if (cause.wasEvicted()) {
                        revision.incrementAndGet();
                    }
                })
                .build();
        this.refused = cache(bounds.refused());
        this.unknown = cache(bounds.refused());
    }

    private static <K, V> Cache<K, V> cache(int most) {
        return Caffeine.newBuilder().maximumSize(most).executor(Runnable::run).<K, V>build();
    }

    @Nullable
    CachedResolution get(ResolutionSubject subject) {
        CachedResolution resolution = granted.getIfPresent(subject);
        return resolution == null ? refused.getIfPresent(subject) : resolution;
    }

    /**
     * The answer about a key that did not exist when the control plane was last asked, not long ago; null for others.
     */
    Resolution.@Nullable UnknownKey unknown(Credential credential, ClockMoment now) {
        UnknownCredential found = unknown.getIfPresent(credential);
        return found != null
                        && Duration.ofNanos(now.nanos() - found.since().nanos()).compareTo(ResolverBounds.UNKNOWN) < 0
                ? new Resolution.UnknownKey(found.expired())
                : null;
    }

    /** Whether the key existed when the control plane was last asked. */
    boolean isGood(Credential credential) {
        return good.getIfPresent(credential) != null;
    }

    /** The standing of a key that is not known not to exist. */
    KeyStanding standing(Credential credential) {
        GoodKey key = good.getIfPresent(credential);
        if (key == null) {
            return KeyStanding.UNHEARD;
        }
        return key.unchanged() ? KeyStanding.GOOD : KeyStanding.DOUBTED;
    }

    /** The party for which calls with a key count. */
    Party party(Credential credential) {
        GoodKey key = good.getIfPresent(credential);
        return key == null ? Party.key(credential) : key.party();
    }

    /** The good key of an answer. A control plane of an earlier version does not name its tenant. */
    private static GoodKey goodKey(Credential credential, CachedResolution resolution) {
        String tenant = resolution.response().getTenant();
        return new GoodKey(tenant.isEmpty() ? Party.key(credential) : Party.tenant(tenant), true);
    }

    private void doubt(Predicate<Credential> of) {
        good.asMap().replaceAll((credential, key) -> of.test(credential) ? key.doubted() : key);
    }

    /** The question that will answer: the given one, or one about the same subject that is under way already. */
    ResolutionFlight join(ResolutionFlight flight) {
        return locked(() -> {
            ResolutionFlight other = flights.putIfAbsent(flight.subject(), flight);
            return other == null ? flight : other;
        });
    }

    void end(ResolutionFlight flight) {
        locked(() -> flights.remove(flight.subject(), flight));
    }

    /** Keeps an answer; false if a change has overtaken it. */
    boolean keep(ResolutionFlight flight, CachedResolution resolution) {
        return locked(() -> {
            if (flight.isOvertaken(resolution.response().getChange())) {
                return false;
            }
            ResolutionSubject subject = flight.subject();
            unknown.invalidate(subject.credential());
            good.put(subject.credential(), goodKey(subject.credential(), resolution));
            if (subject.isOfKeyAlone()) {
                return true;
            }
            CachedResolution before = granted.getIfPresent(subject);
            if (before != null && !resolution.saysAs(before)) {
                withdrawals.incrementAndGet();
            }
            if (resolution.isGranted() ? !resolution.saysAs(before) : before != null) {
                revision.incrementAndGet();
            }
            (resolution.isGranted() ? refused : granted).invalidate(subject);
            (resolution.isGranted() ? granted : refused).put(subject, resolution);
            return true;
        });
    }

    /** Records that a key does not exist, and forgets its answers; false if a change has overtaken this. */
    boolean keepUnknown(ResolutionFlight flight, long change, boolean expired, ClockMoment now) {
        return locked(() -> {
            if (flight.isOvertaken(change)) {
                return false;
            }
            Credential credential = flight.subject().credential();
            boolean wasGood = isGood(credential);
            good.invalidate(credential);
            if (wasGood || get(flight.subject()) != null) {
                drop(subject -> subject.credential().equals(credential));
            }
            unknown.put(credential, new UnknownCredential(expired, now));
            return true;
        });
    }

    /** Forgets the answers that a change concerns. */
    void forget(long change, ChangedSubjects changed) {
        locked(() -> {
            heard = Math.max(heard, change);
            if (changed.count() > 0) {
                unknown.asMap().keySet().removeIf(changed::touches);
                if (!changed.keyIds().isEmpty()) {
                    doubt(changed::touches);
                }
                flights.values().stream()
                        .filter(flight -> changed.touches(flight.subject()))
                        .forEach(flight -> flight.overtake(change));
                drop(changed::touches);
            }
            return heard;
        });
    }

    /** Forgets all answers, and continues from this change, since a restored database numbers changes anew. */
    void forgetAll(long change) {
        locked(() -> {
            heard = change;
            unknown.invalidateAll();
            doubt(_ -> true);
            flights.values().forEach(ResolutionFlight::startAnew);
            drop(_ -> true);
            return heard;
        });
    }

    /** Forgets all answers, and continues from the change that arrived last. */
    void forgetAll() {
        locked(() -> {
            forgetAll(heard);
            return heard;
        });
    }

    private void drop(Predicate<ResolutionSubject> of) {
        refused.asMap().keySet().removeIf(of);
        if (granted.asMap().keySet().removeIf(of)) {
            revision.incrementAndGet();
            withdrawals.incrementAndGet();
        }
    }

    /** All answers are known to hold at this moment. */
    void confirm(ClockMoment now) {
        confirmed = now;
    }

    /** When all answers were last known to hold; null if they never were. */
    @Nullable
    ClockMoment confirmed() {
        return confirmed;
    }

    /** The last change that arrived, 0 if none has. */
    long heard() {
        return locked(() -> heard);
    }

    /** Increases whenever the content of a snapshot changes. */
    long revision() {
        return revision.get();
    }

    /** Increases whenever an answer changes or is forgotten. */
    long withdrawals() {
        return withdrawals.get();
    }

    /** Number of answers that grant rights. */
    int size() {
        return (int) granted.estimatedSize();
    }

    ResolutionSnapshot snapshot() {
        return locked(() -> new ResolutionSnapshot(heard, confirmed, Map.copyOf(granted.asMap())));
    }

    /** Restores a snapshot. Must be called before any other method. */
    void restore(ResolutionSnapshot snapshot) {
        locked(() -> {
            heard = snapshot.heard();
            granted.putAll(snapshot.granted());
            snapshot.granted()
                    .forEach((subject, resolution) ->
                            good.put(subject.credential(), goodKey(subject.credential(), resolution)));
            return heard;
        });
        confirmed = snapshot.confirmed();
    }

    private <T> T locked(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }
}
