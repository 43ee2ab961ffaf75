package dev.kvstore.dataplane.account.control;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import dev.kvstore.dataplane.account.Credential;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the control plane has said and nothing is known against, within bounds. An answer that was on its way while a
 * change of its subject was heard is not taken in. Looking up takes no lock; nothing here waits. Thread-safe.
 */
final class Answers {
    /**
     * All that is worth keeping over a restart, of one moment.
     *
     * @param heard the last change heard of; all of them up to it are accounted for
     * @param confirmed when all of them were last known to hold
     */
    record Snapshot(long heard, Instant confirmed, Map<Subject, Answer> granted) {}

    private final Cache<Subject, Answer> granted;
    private final Cache<Subject, Answer> refused;
    private final Cache<Credential, Instant> unknownUntil;
    private final Map<Subject, Flight> flights = new ConcurrentHashMap<>();
    // Held for moments: what is taken in and what is forgotten are told apart by it.
    private final Lock lock = new ReentrantLock();
    private long heard;
    private volatile Instant confirmed = Instant.EPOCH;
    private final AtomicLong revision = new AtomicLong();

    Answers(Bounds bounds) {
        this.granted = Caffeine.newBuilder()
                .maximumSize(bounds.granted())
                .executor(Runnable::run)
                .removalListener(
                        (@Nullable Subject _, @Nullable Answer _, RemovalCause _) -> revision.incrementAndGet())
                .build();
        this.refused = cache(bounds.refused());
        this.unknownUntil = cache(bounds.refused());
    }

    private static <K, V> Cache<K, V> cache(int most) {
        return Caffeine.newBuilder().maximumSize(most).executor(Runnable::run).<K, V>build();
    }

    @Nullable
    Answer get(Subject subject) {
        Answer answer = granted.getIfPresent(subject);
        return answer == null ? refused.getIfPresent(subject) : answer;
    }

    boolean isUnknown(Credential credential, Instant now) {
        Instant until = unknownUntil.getIfPresent(credential);
        return until != null && now.isBefore(until);
    }

    /** The flight that is to answer: the one given, or another that is under way already. */
    Flight join(Flight flight) {
        return locked(() -> {
            Flight other = flights.putIfAbsent(flight.subject(), flight);
            return other == null ? flight : other;
        });
    }

    void end(Flight flight) {
        locked(() -> flights.remove(flight.subject(), flight));
    }

    /** Takes in an answer; false if it was overtaken. */
    boolean keep(Flight flight, Answer answer) {
        return locked(() -> {
            if (flight.isOvertaken(answer.response().getChange())) {
                return false;
            }
            Subject subject = flight.subject();
            unknownUntil.invalidate(subject.credential());
            (answer.isGranted() ? refused : granted).invalidate(subject);
            (answer.isGranted() ? granted : refused).put(subject, answer);
            revision.incrementAndGet();
            return true;
        });
    }

    /** Takes in that nobody has a key, which all that was known of it falls with; false if that was overtaken. */
    boolean keepUnknown(Flight flight, long change, Instant until) {
        return locked(() -> {
            if (flight.isOvertaken(change)) {
                return false;
            }
            Credential credential = flight.subject().credential();
            if (get(flight.subject()) != null) {
                drop(subject -> subject.credential().equals(credential));
            }
            unknownUntil.put(credential, until);
            return true;
        });
    }

    /** Forgets what a change was heard of; true if any of it is worth keeping over a restart, and so must go there too. */
    boolean forget(long change, Set<String> keyIds, Set<String> resourceNames) {
        return locked(() -> {
            heard = Math.max(heard, change);
            if (keyIds.isEmpty() && resourceNames.isEmpty()) {
                return false;
            }
            unknownUntil.asMap().keySet().removeIf(credential -> keyIds.contains(credential.keyId()));
            return overtakeAndDrop(
                    change,
                    subject -> keyIds.contains(subject.credential().keyId())
                            || resourceNames.contains(subject.resourceName()));
        });
    }

    /** Forgets everything. */
    boolean forgetAll(long change) {
        return locked(() -> {
            heard = Math.max(heard, change);
            unknownUntil.invalidateAll();
            return overtakeAndDrop(change, _ -> true);
        });
    }

    private boolean overtakeAndDrop(long change, Predicate<Subject> of) {
        flights.values().stream()
                .filter(flight -> of.test(flight.subject()))
                .forEach(flight -> flight.overtake(change));
        return drop(of);
    }

    private boolean drop(Predicate<Subject> of) {
        refused.asMap().keySet().removeIf(of);
        return granted.asMap().keySet().removeIf(of);
    }

    /** All that is known holds at this moment. */
    void confirm(Instant now) {
        confirmed = now;
    }

    Instant confirmed() {
        return confirmed;
    }

    /** The last change heard of, 0 if none. */
    long heard() {
        return locked(() -> heard);
    }

    /** Goes up whenever a snapshot's answers change. */
    long revision() {
        return revision.get();
    }

    /** Answers that grant something. */
    int size() {
        return (int) granted.estimatedSize();
    }

    Snapshot snapshot() {
        return locked(() -> new Snapshot(heard, confirmed, Map.copyOf(granted.asMap())));
    }

    /** Goes on from a snapshot, before anything else. */
    void restore(Snapshot snapshot) {
        locked(() -> {
            heard = snapshot.heard();
            granted.putAll(snapshot.granted());
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
