package dev.kvstore.simulation.promise;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The states of one block in storage, and the answers of processes about the block. All times are nanoseconds of the world. */
final class BlockState {
    /**
     * An acknowledgement of a block that is stored.
     *
     * @param isForAll whether other processes must hear of it
     */
    record StoredPromise(int plane, int life, long at, boolean isForAll) {}

    record PlaneLife(int plane, int life) {}

    /** A content, and the time at which storage got it. */
    record ContentPut(int content, long at) {}

    /** The put whose content a process served, or said that it stored. */
    record ServedContent(int plane, int life, int put, long at) {}

    final List<ServedContent> served = new ArrayList<>();
    final List<StoredPromise> acknowledged = new ArrayList<>();
    final List<ContentPut> puts = new ArrayList<>();

    /** The processes that have reported the present damage, and the times of their first reports. */
    final Map<PlaneLife, Long> knowDamage = new HashMap<>();

    /** Indexes of the puts that a write has answered for. */
    final BitSet answeredPuts = new BitSet();

    boolean isStored;

    /** Whether storage has a damaged block; it is deep if only a read of all of the block shows the damage. */
    boolean isDamaged;

    boolean isDamageDeep;
    long damaged = Long.MIN_VALUE;
    long changed = Long.MIN_VALUE;
    long gone = Long.MIN_VALUE;

    /** Storage has something else now. */
    void change(long now) {
        damaged = isDamaged ? now : damaged;
        isDamaged = false;
        isDamageDeep = false;
        knowDamage.clear();
        changed = now;
    }

    /**
     * The index of the earliest put of a content since a time that no write has answered for; the number of puts if
     * none.
     */
    int firstUnanswered(int content, long since) {
        int put = 0;
        while (put < puts.size()
                && (puts.get(put).content != content || puts.get(put).at < since || answeredPuts.get(put))) {
            put++;
        }
        return put;
    }
}
