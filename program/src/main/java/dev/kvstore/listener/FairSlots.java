package dev.kvstore.listener;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Shares slots between parties. One party may take all slots while no other asks for one. A party below its equal share
 * of the slots begins in any case, also beyond the limit; a party at or above its share begins only below the limit. So
 * no party waits for another party's calls to end. With n parties at most the limit times 1 + 1/2 + ... + 1/n calls
 * run, and one of each party; the surplus shrinks as calls end. If there are too many idle calls, the party with the
 * most loses its oldest one. Takes constant time, except when a party below its share takes the last room for idle
 * calls. Not thread-safe.
 *
 * @param <C> a call
 */
public final class FairSlots<C> {
    /** The open calls of one party. */
    public static final class SlotHolder<C> {
        private final Object party;
        private final LinkedHashMap<C, Boolean> waiting = new LinkedHashMap<>();
        private int running;

        private SlotHolder(Object party) {
            this.party = party;
        }
    }

    private final int limit;
    private final int waitingLimit;
    private final Map<Object, SlotHolder<C>> holders = new HashMap<>();
    private int running;
    private int waiting;
    private int parties;

    /**
     * Makes slots without calls.
     *
     * @param limit the number of slots: the calls that run at a time, 1 or more
     * @param waitingLimit the most calls that wait for their clients, 0 or more
     */
    public FairSlots(int limit, int waitingLimit) {
        this.limit = limit;
        this.waitingLimit = waitingLimit;
    }

    /**
     * The holder of a party, valid until its last call is over.
     *
     * @param party equal for calls that share
     */
    public SlotHolder<C> holder(Object party) {
        return holders.computeIfAbsent(party, SlotHolder::new);
    }

    /** The number of calls that run. */
    public int running() {
        return running;
    }

    /** The number of calls that wait for their clients. */
    public int waiting() {
        return waiting;
    }

    /** The number of parties with calls that run. */
    public int parties() {
        return parties;
    }

    /** The number of running calls of the party that has the most. */
    public int most() {
        return holders.values().stream()
                .mapToInt(holder -> holder.running)
                .max()
                .orElse(0);
    }

    /** Whether one more call of a party may begin to run. */
    public boolean admits(SlotHolder<C> holder) {
        return running < limit || holder.running < share(holder);
    }

    /** The share of each party with running calls, if this party is one of them; 1 or more. */
    private int share(SlotHolder<C> holder) {
        return Math.max(1, limit / (holder.running == 0 ? parties + 1 : parties));
    }

    /** Notes that one more call runs. */
    public void began(SlotHolder<C> holder) {
        if (holder.running++ == 0) {
            parties++;
        }
        running++;
    }

    /** Notes that one call runs no more. */
    public void ended(SlotHolder<C> holder) {
        if (--holder.running == 0) {
            parties--;
        }
        running--;
    }

    /** Notes that one more call waits. Returns the call that must end for it, and waits no more, if there is one. */
    public @Nullable C await(SlotHolder<C> holder, C call) {
        holder.waiting.put(call, Boolean.TRUE);
        if (++waiting <= waitingLimit) {
            return null;
        }
        SlotHolder<C> from = holder.waiting.size() * (long) holders.size() > waitingLimit ? holder : longestQueue();
        waiting--;
        C oldest = from.waiting.pollFirstEntry().getKey();
        if (from != holder) {
            release(from);
        }
        return oldest;
    }

    private SlotHolder<C> longestQueue() {
        return holders.values().stream()
                .max(Comparator.comparingInt(holder -> holder.waiting.size()))
                .orElseThrow();
    }

    /** Notes that a call waits no more; false if it did not wait. */
    public boolean waitsNoMore(SlotHolder<C> holder, C call) {
        boolean waited = holder.waiting.remove(call) != null;
        if (waited) {
            waiting--;
        }
        return waited;
    }

    /** Forgets a party without calls; its next call makes a new holder. */
    public void release(SlotHolder<C> holder) {
        if (holder.running == 0 && holder.waiting.isEmpty()) {
            holders.remove(holder.party, holder);
        }
    }
}
