package dev.kvstore.dataplane.call;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.account.Account;
import dev.kvstore.dataplane.account.Party;
import dev.kvstore.listener.FairSlots;
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
 * The open calls of one kind. A running call has a slot. Slots are limited; a call that finds none is refused at once.
 * An idle call, which waits for its own client, has no slot. Idle calls are limited, too; beyond the limit one that has
 * waited long is ended. {@link FairSlots} has the rules by which parties share both. Thread-safe; never waits.
 */
public final class CallAdmission {
    /** Why a call was refused. */
    public enum AdmissionRefusal {
        /** All slots were taken. */
        OPERATIONS("operations"),
        /** The account already had as many running calls as its limit allows. */
        ACCOUNT_OPERATIONS("account_operations"),
        /** The account had used up its bytes per second. */
        ACCOUNT_BYTES("account_bytes"),
        /** The call was idle, and there were too many idle calls. */
        WAITING("idle"),
        /** The memory for received messages was full. */
        INBOUND("inbound_memory"),
        /** The caller's party or connection had used up its share of that memory. */
        INBOUND_SHARE("inbound_share"),
        /** The memory for unread responses was full. */
        UNARY_SEND("unread_response_memory");

        private final String tag;

        AdmissionRefusal(String tag) {
            this.tag = tag;
        }

        /** The name of this reason in meters. */
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
    private final AccountUsages usages;
    private final ReentrantLock lock = new ReentrantLock();
    private final FairSlots<CallSlot> slots;
    private final Map<AdmissionRefusal, LongAdder> refused = new EnumMap<>(AdmissionRefusal.class);

    /**
     * No call is open.
     *
     * @param limit calls that run at a time, 1 or more
     * @param waitingLimit calls that wait for their client at a time, 1 or more
     * @param ticker measures how long calls run
     * @param random spreads the retry delays that callers are given
     */
    public CallAdmission(int limit, int waitingLimit, Ticker ticker, RandomGenerator random) {
        this.limit = limit;
        this.slots = new FairSlots<>(limit, waitingLimit);
        this.ticker = ticker;
        this.hint = new RetryHint(random, ticker.read());
        this.usages = new AccountUsages(ticker, random);
        for (AdmissionRefusal reason : AdmissionRefusal.values()) {
            refused.put(reason, new LongAdder());
        }
    }

    /**
     * Number of running calls. It may exceed {@link #limit}: calls of parties below their share begin beyond it, and an
     * idle call that still has unfinished work resumes beyond it.
     */
    public int running() {
        return count(FairSlots::running);
    }

    /** Number of idle calls. */
    public int waiting() {
        return count(FairSlots::waiting);
    }

    /** Number of parties with running calls. */
    public int parties() {
        return count(FairSlots::parties);
    }

    /** Running calls of the party that has the most. */
    public int mostOfOneParty() {
        return count(FairSlots::most);
    }

    private int count(ToIntFunction<FairSlots<CallSlot>> of) {
        lock.lock();
        try {
            return of.applyAsInt(slots);
        } finally {
            lock.unlock();
        }
    }

    /** Number of slots. */
    public int limit() {
        return limit;
    }

    /** Calls refused so far. */
    public long refused(AdmissionRefusal reason) {
        return counter(reason).sum();
    }

    /** Nanoseconds of the clock of this class. */
    long now() {
        return ticker.read();
    }

    /** A refusal for this reason, with a retry delay. Counts it. */
    CallRefusal refusal(AdmissionRefusal reason) {
        counter(reason).increment();
        lock.lock();
        try {
            return CallRefusal.exhausted(text(reason), hint.next(ticker.read(), limit));
        } finally {
            lock.unlock();
        }
    }

    /** A refusal of a call whose account has as many running calls as its limit allows. Counts it. */
    private CallRefusal full(AccountUsage usage) {
        counter(AdmissionRefusal.ACCOUNT_OPERATIONS).increment();
        lock.lock();
        try {
            return CallRefusal.exhausted(usage.full(), usage.hint(ticker.read()));
        } finally {
            lock.unlock();
        }
    }

    /** A refusal of a block that its account may move only after a time. Counts it. */
    public CallRefusal spent(AccountUsage usage, Duration due) {
        counter(AdmissionRefusal.ACCOUNT_BYTES).increment();
        // No caller is told a shorter delay.
        return CallRefusal.exhausted(usage.spent(), due.compareTo(RetryHint.LEAST) < 0 ? RetryHint.LEAST : due);
    }

    private String text(AdmissionRefusal reason) {
        return switch (reason) {
            case OPERATIONS -> "the server is serving " + limit + " calls of this kind, which is its limit";
            case ACCOUNT_OPERATIONS, ACCOUNT_BYTES -> throw new IllegalArgumentException(reason + " is of an account");
            case WAITING -> "too many open calls wait for their clients; this one was ended";
            case INBOUND -> "the memory for received messages is full";
            case INBOUND_SHARE -> "this tenant or connection has used up its share of the memory for received messages";
            case UNARY_SEND -> "the memory for responses that clients have not read is full";
        };
    }

    private LongAdder counter(AdmissionRefusal reason) {
        LongAdder counter = refused.get(reason);
        if (counter == null) {
            throw new IllegalStateException("every reason is counted, " + reason + " is not");
        }
        return counter;
    }

    /**
     * The slot of a call that is about to be opened.
     *
     * @param party for which the call counts
     * @param end ends the call, if it is idle and there are too many idle calls
     * @param closing takes an action to run when the call is over, for its client or for all
     */
    public CallSlot place(Party party, Runnable end, Consumer<Runnable> closing) {
        return new CallSlot(party, end, closing);
    }

    /** The state of one call: running, idle or over. Its methods may be called by any thread, in any order. */
    public final class CallSlot {
        private final Party party;
        private final Runnable end;
        private final Consumer<Runnable> closing;
        private Where where = Where.GONE;
        private FairSlots.@Nullable SlotHolder<CallSlot> holder;
        private @Nullable AccountUsage usage;
        private long since;

        private CallSlot(Party party, Runnable end, Consumer<Runnable> closing) {
            this.party = party;
            this.end = end;
            this.closing = closing;
        }

        /**
         * Runs an action when the call is over, at once if it is already: its client may leave before it is answered.
         */
        public void whenClosed(Runnable action) {
            closing.accept(action);
        }

        /** The party whose share the call counts against. */
        public Party party() {
            return party;
        }

        /** The caller's slots. To be called with the lock held. */
        private FairSlots.SlotHolder<CallSlot> holder() {
            FairSlots.SlotHolder<CallSlot> mine = holder;
            if (mine == null) {
                mine = slots.holder(party);
                holder = mine;
            }
            return mine;
        }

        /** With the lock held: the call is idle from now on. Answers the call that must be ended for it, or null. */
        private @Nullable CallSlot await() {
            where = Where.WAITING;
            CallSlot gone = slots.await(holder(), this);
            if (gone != null) {
                gone.where = Where.GONE;
            }
            return gone;
        }

        /** Opens the call, idle at first; false if no slot is free, so that the call must be refused. */
        public boolean open() {
            CallSlot longest;
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

        /** Takes a slot; false if none is free. Has no effect on a running call. */
        public boolean run() {
            return run(false);
        }

        /** Runs on, even if no slot is free, since the call has unfinished work that holds memory. */
        public void resume() {
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
                    if (usage != null) {
                        usage.began();
                    }
                }
                return where == Where.RUNNING;
            } finally {
                lock.unlock();
            }
        }

        /** One more slot for this running call, which then works on two things at a time; null if none is free. */
        @Nullable
        public ExtraSlot widen() {
            lock.lock();
            try {
                if (where != Where.RUNNING || !slots.admits(holder()) || isShareFull()) {
                    return null;
                }
                slots.began(holder());
                if (usage != null) {
                    usage.began();
                }
                return new ExtraSlot(usage, ticker.read());
            } finally {
                lock.unlock();
            }
        }

        /** A slot beside the call's own. To be closed once, before the call ends. */
        public final class ExtraSlot implements AutoCloseable {
            private final @Nullable AccountUsage of;
            private final long began;

            private ExtraSlot(@Nullable AccountUsage of, long began) {
                this.of = of;
                this.began = began;
            }

            @Override
            public void close() {
                lock.lock();
                try {
                    slots.ended(holder());
                    hint.ended(ticker.read() - began);
                    if (of != null) {
                        of.ended(ticker.read() - began);
                    }
                } finally {
                    lock.unlock();
                }
            }
        }

        private boolean isShareFull() {
            return usage != null && usage.isFull();
        }

        /**
         * Counts this call for the account that its message names, and no longer for the account before.
         *
         * @throws CallRefusal if the account has as many running calls as its limit allows
         */
        public void join(Account account) throws CallRefusal {
            AccountUsage next = share(account);
            lock.lock();
            try {
                if (next.equals(usage)) {
                    return;
                }
                if (where != Where.RUNNING || !next.isFull()) {
                    if (where == Where.RUNNING) {
                        next.began();
                        endShare();
                    }
                    usage = next;
                    return;
                }
            } finally {
                lock.unlock();
            }
            throw full(next);
        }

        /** The usage of an account, with its present limits. */
        public AccountUsage share(Account account) {
            AccountUsage mine = usage;
            return mine != null && mine.isOf(account) ? mine : usages.of(account);
        }

        /** Becomes idle, since the call waits for its client; false if it did not run. */
        public boolean pause() {
            CallSlot longest;
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

        /** The call is over. */
        public void leave() {
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
            if (usage != null) {
                usage.ended(ticker.read() - since);
            }
        }

        CallRefusal refusal(AdmissionRefusal reason) {
            return CallAdmission.this.refusal(reason);
        }

        /** A refusal, since no slot is free. */
        CallRefusal noRoom() {
            AccountUsage mine = usage;
            boolean itsOwn;
            lock.lock();
            try {
                itsOwn = isShareFull();
            } finally {
                lock.unlock();
            }
            return itsOwn && mine != null ? full(mine) : refusal(AdmissionRefusal.OPERATIONS);
        }
    }
}
