package dev.kvstore.dataplane.presence;

import dev.kvstore.dataplane.presence.snapshot.KeyBatch;
import dev.kvstore.dataplane.storage.ReadLimits;
import dev.kvstore.protocol.block.BlockChain;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A process' knowledge of the blocks of one partition: the files as storage gave them last, the blocks stored, logged,
 * announced or seen since, and blocks that are absent although the files have them. Never calls storage. Thread-safe.
 *
 * <p>Questions take no lock. So a key that moves is in its new place before it leaves the old one, and it leaves only
 * with, or after, a new {@link Documented}. A question that would deny a block looks once more if there is a new one.
 */
final class Knowledge {
    private static final int LEAST_ABSENT = 64;

    /** Most blocks seen in storage that no log has; further ones count when they are seen again. */
    private static final int MOST_UNDOCUMENTED = 4096;

    /** Most blocks seen in storage that stay believed if logs and snapshot are gone. */
    private static final int MOST_OBSERVED = 4096;

    /** Approximate heap of an observed block, in bytes. */
    private static final int OBSERVED_BYTES = 96;

    private final boolean observing;

    /** The lock held while keys are added to {@link #documented}, or it is replaced. */
    private final ReentrantLock changing = new ReentrantLock();

    private volatile Documented documented = new Documented(null, new KeySet());

    /** The keys that replace the recent ones once all logs were read again; null unless they are being read again. */
    private @Nullable KeySet renewed;

    private final Absences absences = new Absences();
    private final PeerAnnouncements announcements = new PeerAnnouncements();

    /** Blocks seen in storage that no log and no snapshot has: their writer could not log them, or will soon. */
    private final Set<Long> undocumented = ConcurrentHashMap.newKeySet();

    /** Blocks that this process stored where storage had none, and that are not in its log yet. */
    private final Set<Long> unlogged = ConcurrentHashMap.newKeySet();

    /**
     * When this process last saw blocks in storage that a log or the snapshot had. If these files turn out to be gone,
     * this process logs the blocks. Changes under {@link #changing}.
     */
    private final Map<Long, Long> observed = new HashMap<>();

    /** Blocks that were {@link #observed} and whose files are gone: this process has to log them. */
    private final Set<Long> leftOut = ConcurrentHashMap.newKeySet();

    /** When a write was last acknowledged because files have the block; null before the first. */
    private volatile @Nullable Long leantAt;

    /** @param observing whether a block that the files lack is denied, even while the files may lack stored blocks */
    Knowledge(boolean observing) {
        this.observing = observing;
    }

    /** The view that storage gave last; null before the first. */
    @Nullable
    View view() {
        return documented.view();
    }

    /** Takes a later view. Keys of its snapshot leave the recent ones. */
    void learnt(View latest) {
        changing.lock();
        try {
            documented = new Documented(latest, documented.recent().without(latest.snapshot()::mightContain));
        } finally {
            changing.unlock();
        }
    }

    /** Whether a block may be stored; false if it certainly is not. */
    boolean mightContain(long key, long now) {
        Documented known;
        do {
            known = documented;
            if (isIn(known, key) || announcements.contains(key) || mayLack(known, now)) {
                return true;
            }
        } while (!known.equals(documented));
        return false;
    }

    private boolean isIn(Documented known, long key) {
        return known.contains(key) && !absences.contains(key);
    }

    private boolean mayLack(Documented known, long now) {
        return !observing && known.mayLack(now);
    }

    /**
     * Index of the first block of a chain, from index {@code start} on, that is certainly not stored; the chain's size
     * if all of them may be stored.
     */
    int candidates(BlockChain chain, int start, long now) {
        Documented known;
        int index = start;
        do {
            known = documented;
            index = mayLack(known, now) ? chain.size() : candidates(known, chain, index);
        } while (index < chain.size() && !known.equals(documented));
        return index;
    }

    private int candidates(Documented known, BlockChain chain, int start) {
        KeyBatch batch = new KeyBatch();
        int size = chain.size();
        // The first group has one block: most chains with an absent block begin with it.
        int group = 1;
        for (int from = start; from < size; from += group, group = KeyBatch.MAX) {
            group = Math.min(group, size - from);
            int may = candidates(known, chain, from, group, batch);
            if (may < group) {
                return from + may;
            }
        }
        return size;
    }

    private int candidates(Documented known, BlockChain chain, int from, int count, KeyBatch batch) {
        batch.clear();
        for (int i = 0; i < count; i++) {
            batch.add(chain.head(from + i));
        }
        long found = known.snapshot().mightContain(batch);
        for (int i = 0; i < count; i++) {
            long key = chain.head(from + i);
            boolean in = ((found >>> i & 1) != 0 || known.recent().contains(key)) && !absences.contains(key);
            if (!in && !announcements.contains(key)) {
                return i;
            }
        }
        return count;
    }

    /**
     * Whether this process, a log or the snapshot has the block. Announcements do not count, so this process may still
     * have to log the block.
     */
    boolean isDocumented(long key) {
        return isIn(documented, key);
    }

    /** Logs say that blocks are stored. */
    void stored(Collection<Long> keys) {
        absences.stored(keys);
        addAll(keys);
    }

    /**
     * This process stored a block where storage had none. Lookups find it here. Until {@link #logged}, a log or a
     * snapshot that has the block does not count, since a listing may have replaced it by one without.
     */
    void stored(long key) {
        if (unlogged.size() < MOST_UNDOCUMENTED) {
            unlogged.add(key);
        }
        stored(List.of(key));
    }

    /** The log of this process has a block, or will have it in time. */
    void logged(long key) {
        unlogged.remove(key);
    }

    /**
     * A block was in storage when it was to be stored. Answers whether this process must log it; if not, the files must
     * be read until {@link #leansOnFiles} ends, since they may have been replaced meanwhile.
     */
    boolean wasStored(long key, long now) {
        absences.stored(List.of(key));
        return !observe(key, now, true) || unlogged.contains(key);
    }

    /** Whether the files must be read again, since a write was acknowledged because of them of late. */
    boolean leansOnFiles() {
        Long leant = leantAt;
        View known = view();
        return leant != null && (known == null || known.asOf() - leant < PeerAnnouncements.KEPT.toNanos());
    }

    /** Whether the files were not read since a write was acknowledged because of them. */
    boolean isUnchecked() {
        Long leant = leantAt;
        View known = view();
        return leant != null && (known == null || known.asOf() - leant <= 0);
    }

    /**
     * This process saw a block in storage. Answers whether a log or the snapshot has it.
     *
     * @param leaning whether a write is acknowledged if so; then the answer is true only if the block is remembered
     */
    private boolean observe(long key, long now, boolean leaning) {
        changing.lock();
        try {
            if (!isDocumented(key)) {
                return false;
            }
            boolean room = observed.size() < MOST_OBSERVED || observed.containsKey(key);
            if (room) {
                observed.put(key, now);
            }
            if (room && leaning) {
                leantAt = now;
            }
            return room || !leaning;
        } finally {
            changing.unlock();
        }
    }

    /** Forgets the blocks that were seen {@link PeerAnnouncements#KEPT} or longer before the files were read. */
    private void forgetObserved(long asOf) {
        observed.values().removeIf(at -> asOf - at >= PeerAnnouncements.KEPT.toNanos());
    }

    /** Blocks are known to be stored, unless they were found absent since. */
    void addAll(Collection<Long> keys) {
        changing.lock();
        try {
            documented.recent().addAll(keys);
            if (renewed != null) {
                renewed.addAll(keys);
            }
        } finally {
            changing.unlock();
        }
        undocumented.removeAll(keys);
        leftOut.removeAll(keys);
    }

    /**
     * Begins to doubt all keys of logs, since logs or the snapshot were replaced or deleted. The keys stay believed
     * until {@link #confirmed}.
     *
     * @param latest the view from now on, which denies nothing
     * @param own is asked for the keys that this process's log has. A block that is stored later is added to the
     *     renewed keys, and one that is being stored is among the unlogged ones or in the log, so none is lost
     */
    void doubt(View latest, Supplier<List<Long>> own) {
        changing.lock();
        try {
            learnt(latest);
            renewed = new KeySet();
        } finally {
            changing.unlock();
        }
        addOwn(own);
    }

    private void addOwn(Supplier<List<Long>> own) {
        addAll(List.copyOf(unlogged));
        addAll(own.get());
    }

    /**
     * All logs were read since {@link #doubt}: forgets the keys that no log has any more. Blocks that this process saw
     * in storage meanwhile count as announced, and are to be logged.
     */
    void confirmed(long now) {
        changing.lock();
        try {
            if (renewed != null) {
                leaveOutObserved(now);
                documented = new Documented(documented.view(), renewed);
                renewed = null;
            }
        } finally {
            changing.unlock();
        }
    }

    private void leaveOutObserved(long now) {
        var _ = announcements.add(observed.keySet(), now);
        observed.keySet().stream()
                .limit(Math.max(0, MOST_OBSERVED - leftOut.size()))
                .forEach(leftOut::add);
        observed.clear();
    }

    /** Another process announces stored blocks. Answers for how many of them there was room. */
    int heard(Collection<Long> keys, long now) {
        // The order matters: an answer that disproves earlier announcements must not disprove this one.
        absences.stored(keys);
        return announcements.add(keys, now);
    }

    /**
     * A block was seen in storage.
     *
     * @param telling whether this process is to log the block if no other does
     */
    void seen(long key, boolean telling, long now) {
        absences.stored(List.of(key));
        // The block is observed even while little is known: the next view of storage may lack it.
        if (telling && !observe(key, now, false) && undocumented.size() < MOST_UNDOCUMENTED && undocumented.add(key)) {
            announcements.add(List.of(key), now);
        }
    }

    /**
     * Blocks seen in storage that no file has any more, or that no log has although their writer had time to log them.
     */
    List<Long> untold() {
        View known = view();
        if (known == null || !known.complete() || (undocumented.isEmpty() && leftOut.isEmpty())) {
            return List.of();
        }
        undocumented.removeIf(key -> isDocumented(key) || absences.contains(key));
        leftOut.removeIf(key -> isDocumented(key) || absences.contains(key));
        return Stream.concat(leftOut.stream(), undocumented.stream().filter(key -> !announcements.contains(key)))
                .distinct()
                .toList();
    }

    /** Marks the moment in which storage is asked for a block. */
    long asked() {
        return absences.asked();
    }

    /** Storage did not have a block. Answers whether that counts. */
    boolean missing(long key, long asked) {
        boolean remembered = isDocumented(key) && absences.size() < ReadLimits.ABSENT_KEYS;
        return absences.missing(key, asked, remembered, () -> {
            announcements.disprove(key);
            undocumented.remove(key);
            leftOut.remove(key);
            changing.lock();
            try {
                observed.remove(key);
            } finally {
                changing.unlock();
            }
        });
    }

    /** Whether storage so often lacked a block of the view that a listing is cheaper. */
    boolean isDoubtful() {
        return absences.corrections()
                >= Math.clamp(documented.snapshot().size() / 10, LEAST_ABSENT, ReadLimits.ABSENT_KEYS);
    }

    /** There is a new snapshot, so blocks that were absent may have been stored and merged since. */
    void anyMayBeStored() {
        absences.clear();
    }

    /** Forgets absences, and announcements that are older than logs can be; to be called after {@link #learnt}. */
    void expire(long now) {
        absences.expire();
        announcements.expire(now);
        changing.lock();
        try {
            forgetObserved(now);
        } finally {
            changing.unlock();
        }
    }

    /**
     * The partition was listed, and its new snapshot has no absent block.
     *
     * @param truth the view from now on, which denies nothing
     * @param own as for {@link #doubt}
     */
    void listed(View truth, Supplier<List<Long>> own) {
        changing.lock();
        try {
            documented = new Documented(truth, documented.recent().without(absences::contains));
        } finally {
            changing.unlock();
        }
        absences.clear();
        doubt(truth, own);
    }

    /**
     * Forgets the files, which take the most heap. Nothing is denied until storage is read again. Blocks that this
     * process saw in storage of late count as announced: a file that had them may be gone by then.
     *
     * @param own as for {@link #doubt}
     */
    void forgetAll(Supplier<List<Long>> own, long asOf) {
        changing.lock();
        try {
            documented = new Documented(new View(null, false, asOf, Long.MAX_VALUE, true), new KeySet());
            renewed = null;
            leaveOutObserved(asOf);
        } finally {
            changing.unlock();
        }
        absences.clear();
        addOwn(own);
    }

    /** The blocks that the view's snapshot lacks, in no order. */
    long[] recent() {
        return documented.recent().toArray();
    }

    /** Approximate heap of this object, in bytes. */
    long bytes() {
        changing.lock();
        try {
            return documented.bytes()
                    + (renewed == null ? 0 : renewed.bytes())
                    + absences.bytes()
                    + announcements.weight()
                    + (long) observed.size() * OBSERVED_BYTES;
        } finally {
            changing.unlock();
        }
    }
}
