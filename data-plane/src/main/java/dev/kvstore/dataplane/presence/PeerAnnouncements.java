package dev.kvstore.dataplane.presence;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Announced blocks: other processes say that they have stored them, before their logs do. They are kept apart from
 * known blocks, since nothing proves them. A false announcement costs one existence check, which removes it.
 * Thread-safe.
 */
final class PeerAnnouncements {
    /** How long an announcement counts: after this time the logs have the block, or show that their process died. */
    static final Duration KEPT = Duration.ofSeconds(30);

    /** Most announced blocks: as many as a cluster stores in one partition in {@link #KEPT} at 2,000 a second. */
    static final int MAX_KEYS = 65_536;

    /** Approximate heap of an announced block: two boxed numbers and their place in the map. */
    private static final int KEY_BYTES = 96;

    private final Map<Long, Long> heardAt = new ConcurrentHashMap<>();

    /** Adds the blocks that were announced at a moment; returns how many there was room for. */
    int add(Collection<Long> keys, long now) {
        if (heardAt.size() + keys.size() > MAX_KEYS) {
            expire(now);
        }
        int taken = 0;
        for (long key : keys) {
            if (heardAt.size() >= MAX_KEYS) {
                break;
            }
            heardAt.put(key, now);
            taken++;
        }
        return taken;
    }

    boolean contains(long key) {
        return !heardAt.isEmpty() && heardAt.containsKey(key);
    }

    /** Removes a block that storage does not have. */
    void disprove(long key) {
        heardAt.remove(key);
    }

    /** Forgets the announcements that all logs, as read at a moment, must have. */
    void expire(long now) {
        heardAt.values().removeIf(at -> now - at >= KEPT.toNanos());
    }

    /** Approximate heap of this object, in bytes. */
    int weight() {
        return heardAt.size() * KEY_BYTES;
    }
}
