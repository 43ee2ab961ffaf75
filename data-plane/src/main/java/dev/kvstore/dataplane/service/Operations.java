package dev.kvstore.dataplane.service;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.account.Account;
import dev.kvstore.dataplane.account.Party;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The open calls of one kind. Those that run have a place each, of which there is a number; who finds none is refused
 * at once. Those that wait for their own client, having sent it everything or heard nothing of it, take no place; of
 * these too there is a number, and beyond it one that has waited long is ended. {@link FairSlots} says how parties share
 * both. Thread-safe; never waits.
 */
public final class Operations {
    /** Why a call was refused. */
    public enum Reason {
        /** As many ran as may. */
        OPERATIONS("operations"),
        /** As many of its account's ran as may. */
        ACCOUNT_OPERATIONS("account_operations"),
        /** Its account had moved as many bytes as it may. */
        ACCOUNT_BYTES("account_bytes"),
        /** It was waiting for its client, and others were too. */
        WAITING("idle"),
        /** Messages on their way in had all the memory there is for them. */
        INBOUND("inbound_memory"),
        /** Its party or its connection had its share of that memory. */
        INBOUND_SHARE("inbound_share"),
        /** Answers that clients do not take had. */
        UNARY_SEND("unread_response_memory");

        private final String tag;

        Reason(String tag) {
            this.tag = tag;
        }

        /** What meters call it. */
        public String tag() {
            return tag;
        }
    }

    private enum Where {
        WAITING,
        RUNNING,
        GONE
    }

    private final int limit;
    private final Ticker ticker;
    private final RetryHint hint;
    private final Shares shares;
    private final ReentrantLock lock = new ReentrantLock();
    private final FairSlots<Place> slots;
    private final Map<Reason, LongAdder> refused = new EnumMap<>(Reason.class);

    /**
     * No call is open.
     *
     * @param limit calls that run at a time, 1 or more
     * @param waitingLimit calls that wait for their client at a time, 1 or more
     * @param ticker how long calls run
     * @param random spreads the delays that callers are told
     */
    public Operations(int limit, int waitingLimit, Ticker ticker, RandomGenerator random) {
        this.limit = limit;
        this.slots = new FairSlots<>(limit, waitingLimit);
        this.ticker = ticker;
        this.hint = new RetryHint(random, ticker.read());
        this.shares = new Shares(ticker, random);
        for (Reason reason : Reason.values()) {
            refused.put(reason, new LongAdder());
        }
    }

    /**
     * Calls that run now; those that return from waiting with work in hand may take it past {@link #limit}, and those of
     * parties below their share.
     */
    public int running() {
        return count(FairSlots::running);
    }

    /** Calls that wait for their client now. */
    public int waiting() {
        return count(FairSlots::waiting);
    }

    /** Parties with calls that run now. */
    public int parties() {
        return count(FairSlots::parties);
    }

    /** Calls that run now of the party that has most of them. */
    public int mostOfOneParty() {
        return count(FairSlots::most);
    }

    private int count(ToIntFunction<FairSlots<Place>> of) {
        lock.lock();
        try {
            return of.applyAsInt(slots);
        } finally {
            lock.unlock();
        }
    }

    /** Calls that run at a time. */
    public int limit() {
        return limit;
    }

    /** Calls refused so far. */
    public long refused(Reason reason) {
        return counter(reason).sum();
    }

    /** Nanoseconds of the clock that all here goes by. */
    long now() {
        return ticker.read();
    }

    /** Why a call is refused that finds no room now, and when to come back; counts it. */
    Refusal refusal(Reason reason) {
        counter(reason).increment();
        lock.lock();
        try {
            return Refusal.exhausted(text(reason), hint.next(ticker.read(), limit));
        } finally {
            lock.unlock();
        }
    }

    /** As above, of a call whose account has as many as it may. */
    private Refusal full(Share share) {
        counter(Reason.ACCOUNT_OPERATIONS).increment();
        lock.lock();
        try {
            return Refusal.exhausted(share.full(), share.hint(ticker.read()));
        } finally {
            lock.unlock();
        }
    }

    /** As above, of a block that its account may move only after so long. */
    Refusal spent(Share share, Duration due) {
        counter(Reason.ACCOUNT_BYTES).increment();
        // Less is told nobody.
        return Refusal.exhausted(share.spent(), due.compareTo(RetryHint.LEAST) < 0 ? RetryHint.LEAST : due);
    }

    private String text(Reason reason) {
        return switch (reason) {
            case OPERATIONS -> "the server is serving " + limit + " calls of this kind, which is all it does at a time";
            case ACCOUNT_OPERATIONS, ACCOUNT_BYTES -> throw new IllegalArgumentException(reason + " is of an account");
            case WAITING -> "the server keeps no more calls open whose clients say nothing";
            case INBOUND -> "the server is taking in all it can";
            case INBOUND_SHARE -> "this tenant or connection has sent all that may be on its way in at a time";
            case UNARY_SEND -> "clients are not taking what they asked for";
        };
    }

    private LongAdder counter(Reason reason) {
        LongAdder counter = refused.get(reason);
        if (counter == null) {
            throw new IllegalStateException("every reason is counted, " + reason + " is not");
        }
        return counter;
    }

    /**
     * For a call that is about to be opened.
     *
     * @param party that it is counted for
     * @param end ends the call, where it has to go for others that wait
     * @param closing takes what is to be done when the call is over, for its client or for all
     */
    Place place(Party party, Runnable end, Consumer<Runnable> closing) {
        return new Place(party, end, closing);
    }

    /** Where one call is. Its methods may be called by any thread, in any order. */
    final class Place {
        private final Party party;
        private final Runnable end;
        private final Consumer<Runnable> closing;
        private Where where = Where.GONE;
        private FairSlots.@Nullable Holder<Place> holder;
        private @Nullable Share share;
        private long since;

        private Place(Party party, Runnable end, Consumer<Runnable> closing) {
            this.party = party;
            this.end = end;
            this.closing = closing;
        }

        /** Runs an action when the call is over, at once if it is already: its client may leave before it is answered. */
        void whenClosed(Runnable action) {
            closing.accept(action);
        }

        /** The party whose share the call counts against. */
        Party party() {
            return party;
        }

        /** With the lock held. */
        private FairSlots.Holder<Place> holder() {
            FairSlots.Holder<Place> mine = holder;
            if (mine == null) {
                mine = slots.holder(party);
                holder = mine;
            }
            return mine;
        }

        /** With the lock held: waits from now on; the call that has to go for it, if there is one. */
        private @Nullable Place await() {
            where = Where.WAITING;
            Place gone = slots.await(holder(), this);
            if (gone != null) {
                gone.where = Where.GONE;
            }
            return gone;
        }

        /** Begins to wait; false if as many run as may, so that it need not begin. */
        boolean open() {
            Place longest;
            lock.lock();
            try {
                if (!slots.admits(holder())) {
                    slots.release(holder());
                    return false;
                }
                longest = await();
            } finally {
                lock.unlock();
            }
            if (longest != null) {
                longest.end.run();
            }
            return true;
        }

        /** Begins to run; false if there is no room. One that runs goes on. */
        boolean run() {
            return run(false);
        }

        /** Goes on with work in hand, room or not: to end it is what makes room. */
        void resume() {
            run(true);
        }

        private boolean run(boolean always) {
            lock.lock();
            try {
                if (where == Where.WAITING && (always || (slots.admits(holder()) && !isShareFull()))) {
                    boolean _ = slots.waitsNoMore(holder(), this);
                    where = Where.RUNNING;
                    since = ticker.read();
                    slots.began(holder());
                    if (share != null) {
                        share.began();
                    }
                }
                return where == Where.RUNNING;
            } finally {
                lock.unlock();
            }
        }

        private boolean isShareFull() {
            return share != null && share.isFull();
        }

        /**
         * Counts this call for an account, which only its first message tells, and no more for another.
         *
         * @throws Refusal if as many of the account's run as may
         */
        void join(Account account) throws Refusal {
            Share next = share(account);
            lock.lock();
            try {
                if (next.equals(share)) {
                    return;
                }
                if (where != Where.RUNNING || !next.isFull()) {
                    if (where == Where.RUNNING) {
                        next.began();
                        endShare();
                    }
                    share = next;
                    return;
                }
            } finally {
                lock.unlock();
            }
            throw full(next);
        }

        /** What an account takes, by the limits it has now. */
        Share share(Account account) {
            Share mine = share;
            return mine != null && mine.isOf(account) ? mine : shares.of(account);
        }

        /** Has nothing to do until its client does something; false if it did not run. */
        boolean pause() {
            Place longest;
            lock.lock();
            try {
                if (where != Where.RUNNING) {
                    return false;
                }
                stop();
                longest = await();
            } finally {
                lock.unlock();
            }
            if (longest != null) {
                longest.end.run();
            }
            return true;
        }

        /** Is over. */
        void leave() {
            lock.lock();
            try {
                if (where == Where.RUNNING) {
                    stop();
                }
                if (where != Where.GONE) {
                    boolean _ = slots.waitsNoMore(holder(), this);
                    slots.release(holder());
                }
                where = Where.GONE;
            } finally {
                lock.unlock();
            }
        }

        private void stop() {
            slots.ended(holder());
            hint.ended(ticker.read() - since);
            endShare();
        }

        private void endShare() {
            if (share != null) {
                share.ended(ticker.read() - since);
            }
        }

        Refusal refusal(Reason reason) {
            return Operations.this.refusal(reason);
        }

        /** Why it finds no room to run. */
        Refusal noRoom() {
            Share mine = share;
            boolean itsOwn;
            lock.lock();
            try {
                itsOwn = isShareFull();
            } finally {
                lock.unlock();
            }
            return itsOwn && mine != null ? full(mine) : refusal(Reason.OPERATIONS);
        }
    }
}
