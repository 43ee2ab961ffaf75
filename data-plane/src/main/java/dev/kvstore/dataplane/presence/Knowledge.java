package dev.kvstore.dataplane.presence;

import dev.kvstore.dataplane.presence.snapshot.KeyBatch;
import dev.kvstore.dataplane.presence.snapshot.Snapshot;
import dev.kvstore.dataplane.storage.ReadLimits;
import dev.kvstore.protocol.block.BlockChain;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A process' knowledge of the blocks of one partition: the {@link View} that storage gave last, the blocks stored,
 * logged, announced or seen since, and blocks that are absent although the view has them. Never calls storage.
 * Thread-safe.
 */
final class Knowledge {
    private static final int LEAST_ABSENT = 64;

    /** Most blocks seen in storage that no log has; further ones count when they are seen again. */
    private static final int MOST_UNDOCUMENTED = 4096;

    /** Most blocks seen in storage that stay believed should logs and snapshot be gone. */
    private static final int MOST_OBSERVED = 4096;

    /** Heap of one of them, about. */
    private static final int OBSERVED_BYTES = 96;

    /** Held while keys are added to {@link #recent}, or another set takes its place. Questions do not wait for it. */
    private final ReentrantLock changing = new ReentrantLock();

    /** Stored by this process, or in a log, and not in the view's snapshot. */
    private volatile KeySet recent = new KeySet();

    /** Takes the place of {@link #recent} once all logs were read again; null unless they are being read again. */
    private @Nullable KeySet renewed;

    private final Absences absences = new Absences();
    private final PeerAnnouncements hearsay = new PeerAnnouncements();

    /** Seen in storage, and neither in a log nor in the snapshot: their writer could not log them, or will soon. */
    private final Set<Long> undocumented = ConcurrentHashMap.newKeySet();

    /**
     * When this process last saw blocks in storage that a log or the snapshot had. If these files turn out to be gone,
     * the blocks are believed until the log of their writer must have them. Changes under {@link #changing}.
     */
    private final Map<Long, Long> observed = new HashMap<>();

    private volatile @Nullable View view;

    /** The view that storage gave last; null before the first. */
    @Nullable
    View view() {
        return view;
    }

    void learnt(View latest) {
        view = latest;
    }

    /** Whether a block may be stored. */
    boolean mightContain(long key) {
        return isDocumented(key) || hearsay.contains(key);
    }

    /**
     * Index of the first block of a chain, from index {@code start} on, that is not stored; the chain's size if all of
     * them may be stored.
     */
    int candidates(BlockChain chain, int start) {
        KeyBatch questions = new KeyBatch();
        int size = chain.size();
        // One first: most chains of which something is not stored begin with it.
        int group = 1;
        for (int from = start; from < size; from += group, group = KeyBatch.MAX) {
            group = Math.min(group, size - from);
            int may = candidates(chain, from, group, questions);
            if (may < group) {
                return from + may;
            }
        }
        return size;
    }

    private int candidates(BlockChain chain, int from, int count, KeyBatch questions) {
        questions.clear();
        for (int i = 0; i < count; i++) {
            questions.add(chain.head(from + i));
        }
        View known = view;
        long found = known == null ? 0 : known.snapshot().mightContain(questions);
        for (int i = 0; i < count; i++) {
            long key = chain.head(from + i);
            boolean documented = ((found >>> i & 1) != 0 || recent.contains(key)) && !absences.contains(key);
            if (!documented && !hearsay.contains(key)) {
                return i;
            }
        }
        return count;
    }

    /**
     * Whether this process, a log or the snapshot has the block. Announcements do not count, so this process may still
     * have to log the block.
     */
    private boolean isDocumented(long key) {
        View known = view;
        return !absences.contains(key)
                && (recent.contains(key) || (known != null && known.snapshot().mightContain(key)));
    }

    /** This process stored a block. */
    void stored(long key) {
        believe(List.of(key));
        absences.stored(key);
    }

    /** A block is stored. Answers whether neither a log nor the snapshot had it. */
    boolean wasStored(long key, long now) {
        absences.stored(key);
        return !observe(key, now);
    }

    /** This process saw a block in storage. Answers whether a log or the snapshot has it. */
    private boolean observe(long key, long now) {
        changing.lock();
        try {
            boolean documented = isDocumented(key);
            if (documented) {
                if (observed.size() >= MOST_OBSERVED) {
                    forgetObserved(now);
                }
                if (observed.size() < MOST_OBSERVED) {
                    observed.put(key, now);
                }
            }
            return documented;
        } finally {
            changing.unlock();
        }
    }

    private void forgetObserved(long now) {
        observed.values().removeIf(at -> now - at >= PeerAnnouncements.KEPT.toNanos());
    }

    /** Logs say that blocks are stored. */
    void told(Collection<Long> keys) {
        addAll(keys);
        absences.stored(keys);
    }

    /** Blocks are known to be stored, unless they were found absent since. */
    void addAll(Collection<Long> keys) {
        believe(keys);
        undocumented.removeAll(keys);
    }

    private void believe(Collection<Long> keys) {
        changing.lock();
        try {
            recent.addAll(keys);
            if (renewed != null) {
                renewed.addAll(keys);
            }
        } finally {
            changing.unlock();
        }
    }

    /**
     * Begins to doubt all keys of logs: logs, or the snapshot, were replaced or deleted. The keys stay believed until
     * {@link #confirmed}.
     *
     * @param own keys that this process's log has
     */
    void doubt(List<Long> own) {
        changing.lock();
        try {
            renewed = new KeySet();
        } finally {
            changing.unlock();
        }
        addAll(own);
    }

    /**
     * All logs were read since {@link #doubt}: forgets the keys that no log has any more. Blocks that this process saw
     * in storage meanwhile count as announced.
     */
    void confirmed(long now) {
        changing.lock();
        try {
            if (renewed != null) {
                forgetObserved(now);
                hearsay.add(observed.keySet(), now);
                undocumented.addAll(observed.keySet());
                observed.clear();
                recent = renewed;
                renewed = null;
            }
        } finally {
            changing.unlock();
        }
    }

    /** Another process announces stored blocks. Answers for how many of them there was room. */
    int heard(Collection<Long> keys, long now) {
        // In this order: an answer that disproves earlier announcements must not disprove this one.
        absences.stored(keys);
        return hearsay.add(keys, now);
    }

    /**
     * A block was seen in storage.
     *
     * @param telling whether this process is to log the block if no other does
     */
    void seen(long key, boolean telling, long now) {
        absences.stored(key);
        // Also while little is known: the next view of storage may lack the block.
        if (telling && !observe(key, now) && undocumented.size() < MOST_UNDOCUMENTED && undocumented.add(key)) {
            hearsay.add(List.of(key), now);
        }
    }

    /** Blocks seen in storage that no log has, although their writer had time to log them. */
    List<Long> untold() {
        View known = view;
        if (known == null || !known.complete() || undocumented.isEmpty()) {
            return List.of();
        }
        undocumented.removeIf(key -> isDocumented(key) || absences.contains(key));
        return undocumented.stream().filter(key -> !hearsay.contains(key)).toList();
    }

    /** Marks the moment in which storage is asked for a block. */
    long asked() {
        return absences.asked();
    }

    /** Storage did not have a block. Answers whether that counts. */
    boolean missing(long key, long asked) {
        boolean documented = isDocumented(key) && absences.size() < ReadLimits.ABSENT_KEYS;
        return absences.missing(key, asked, documented, () -> {
            hearsay.disprove(key);
            undocumented.remove(key);
            changing.lock();
            try {
                observed.remove(key);
            } finally {
                changing.unlock();
            }
        });
    }

    /** Whether so many blocks of the view are absent that only a listing helps. */
    boolean isDoubtful() {
        View known = view;
        return absences.size()
                >= Math.clamp(known == null ? 0 : known.snapshot().size() / 10, LEAST_ABSENT, ReadLimits.ABSENT_KEYS);
    }

    /** There is a new snapshot, so blocks that were absent may have been stored and merged since. */
    void anyMayBeStored() {
        absences.clear();
    }

    /** Forgets blocks that the snapshot has, and announcements that are older than logs can be. */
    void forgetWhatIsIn(Snapshot snapshot, long now) {
        forgetWhatIsIn(snapshot);
        hearsay.expire(now);
        changing.lock();
        try {
            forgetObserved(now);
        } finally {
            changing.unlock();
        }
    }

    void forgetWhatIsIn(Snapshot snapshot) {
        recent.removeIf(snapshot::mightContain);
    }

    /**
     * The partition was listed: its new snapshot has no absent block.
     *
     * @param own keys that this process's log has
     */
    void listed(List<Long> own) {
        recent.removeIf(absences::contains);
        absences.clear();
        doubt(own);
    }

    /**
     * Forgets everything that takes heap. Nothing is denied until storage is read again.
     *
     * @param own keys that this process's log has
     */
    void forgetAll(List<Long> own, long asOf) {
        view = new View(null, false, asOf, Long.MAX_VALUE, true);
        changing.lock();
        try {
            recent = new KeySet();
            renewed = null;
            observed.clear();
        } finally {
            changing.unlock();
        }
        absences.clear();
        addAll(own);
    }

    /** The blocks that are not in the view's snapshot, in no order. */
    long[] recent() {
        return recent.toArray();
    }

    /** Heap this takes, about. */
    long bytes() {
        View known = view;
        changing.lock();
        try {
            return bytes(known) + (renewed == null ? 0 : renewed.bytes()) + (long) observed.size() * OBSERVED_BYTES;
        } finally {
            changing.unlock();
        }
    }

    private long bytes(@Nullable View known) {
        return recent.bytes()
                + absences.bytes()
                + hearsay.weight()
                + (known == null ? 0 : known.snapshot().heapBytes());
    }
}
