package dev.kvstore.dataplane.service;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.account.AccountResolver;
import dev.kvstore.dataplane.account.Credential;
import dev.kvstore.dataplane.account.Standing;
import dev.kvstore.dataplane.rate.Bucket;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Calls whose API key was never seen good here: they wait, holding nothing but their headers, until it was asked whether
 * somebody has the key. How many keys are asked about at a time is limited, for each connection and address too, and who
 * shows many keys that nobody has is not asked about for a while. Thread-safe; never waits.
 */
public final class Strangers {
    private static final Logger LOG = System.getLogger(Strangers.class.getName());

    /** Keys that are asked about at a time. */
    static final int KEYS = 64;

    /** Of these, of one address: half, so that no address keeps all others out. */
    static final int KEYS_OF_ADDRESS = 32;

    /** Of these, on one connection. */
    static final int KEYS_OF_CONNECTION = 8;

    /** Calls that wait for these answers: a client begins with many calls, and waits with all of them. */
    static final int CALLS = 10_000;

    /** Keys that nobody has, of one address: so many at once, then so many a second. */
    static final int UNKNOWN_BURST = 100;

    static final int UNKNOWN_PER_SECOND = 20;

    /** The same, of all addresses: what a control plane answers easily. */
    static final int ALL_UNKNOWN_BURST = 500;

    static final int ALL_UNKNOWN_PER_SECOND = 200;

    /** Addresses whose unknown keys are counted, those that showed one last. */
    private static final int ADDRESSES = 10_000;

    private static final Duration FORGET = Duration.ofMinutes(1);

    /** Why a call was refused before anything but its headers was looked at. */
    public enum Reason {
        /** It showed no key, or none of the form of one. */
        NO_KEY("no_key"),
        /** Nobody has its key. */
        UNKNOWN_KEY("unknown_key"),
        /** Too many keys were being asked about, or its address had shown too many that nobody has. */
        BUSY("busy"),
        /** Nobody answered whose key it is. */
        UNANSWERED("unanswered"),
        /** It was one of a service for everybody, of which as many were open as may be. */
        PUBLIC_CALLS("public_calls"),
        /** It was one of a service with short messages, and sent a long one, or none in time. */
        PUBLIC_MESSAGE("public_message");

        private final String tag;

        Reason(String tag) {
            this.tag = tag;
        }

        /** What meters call it. */
        public String tag() {
            return tag;
        }
    }

    private record Asked(CallerConnection first, List<Consumer<Standing>> waiting) {}

    private final AccountResolver accounts;
    private final Ticker ticker;
    private final Executor executor;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Credential, Asked> asked = new HashMap<>();
    private final Map<Object, Integer> ofAddress = new HashMap<>();
    private final Map<CallerConnection, Integer> ofConnection = new HashMap<>();
    private final Cache<Object, Bucket> unknown;
    private final Bucket allUnknown;
    private final Map<Reason, LongAdder> refused = new EnumMap<>(Reason.class);
    private int calls;

    /**
     * Nobody waits.
     *
     * @param executor a virtual thread per task
     */
    public Strangers(AccountResolver accounts, Ticker ticker, Executor executor) {
        this.accounts = accounts;
        this.ticker = ticker;
        this.executor = executor;
        this.unknown = Caffeine.newBuilder()
                .maximumSize(ADDRESSES)
                .expireAfterAccess(FORGET)
                .ticker(ticker)
                .executor(Runnable::run)
                .build();
        this.allUnknown = new Bucket(ticker, ALL_UNKNOWN_BURST);
        for (Reason reason : Reason.values()) {
            refused.put(reason, new LongAdder());
        }
    }

    /** Calls that wait for an answer now. */
    public int waiting() {
        lock.lock();
        try {
            return calls;
        } finally {
            lock.unlock();
        }
    }

    /** Calls refused so far. */
    public long refused(Reason reason) {
        return counter(reason).sum();
    }

    /** One more call was. */
    void count(Reason reason) {
        counter(reason).increment();
    }

    private LongAdder counter(Reason reason) {
        LongAdder counter = refused.get(reason);
        if (counter == null) {
            throw new IllegalStateException("every reason is counted, " + reason + " is not");
        }
        return counter;
    }

    /**
     * Asks about a key, for one call more.
     *
     * @param then hears the answer, on another thread; must not wait
     * @return false if there is no room to ask, or the address has shown too many keys that nobody has
     */
    boolean ask(Credential credential, CallerConnection from, Consumer<Standing> then) {
        Consumer<Standing> heard = standing -> {
            leave();
            then.accept(standing);
        };
        lock.lock();
        try {
            if (calls >= CALLS) {
                return false;
            }
            Asked already = asked.get(credential);
            if (already != null) {
                already.waiting.add(heard);
                calls++;
                return true;
            }
            // Keys that somebody had are few, and do not wait behind those that were never heard of.
            if (accounts.standing(credential) != Standing.DOUBTED && !mayAsk(from)) {
                return false;
            }
            asked.put(credential, new Asked(from, new ArrayList<>(List.of(heard))));
            ofAddress.merge(from.origin(), 1, Integer::sum);
            ofConnection.merge(from, 1, Integer::sum);
            calls++;
        } finally {
            lock.unlock();
        }
        executor.execute(() -> answer(credential));
        return true;
    }

    private boolean mayAsk(CallerConnection from) {
        return asked.size() < KEYS
                && ofAddress.getOrDefault(from.origin(), 0) < KEYS_OF_ADDRESS
                && ofConnection.getOrDefault(from, 0) < KEYS_OF_CONNECTION
                && !hasShownTooMany(from.origin());
    }

    private boolean hasShownTooMany(Object origin) {
        Bucket ofOrigin = unknown.getIfPresent(origin);
        return allUnknown.due(ALL_UNKNOWN_PER_SECOND).isPositive()
                || (ofOrigin != null && ofOrigin.due(UNKNOWN_PER_SECOND).isPositive());
    }

    private void answer(Credential credential) {
        Standing standing = Standing.UNHEARD;
        try {
            standing = accounts.identify(credential);
        } finally {
            Asked done;
            lock.lock();
            try {
                done = asked.remove(credential);
                if (done != null) {
                    less(ofAddress, done.first.origin());
                    less(ofConnection, done.first);
                }
            } finally {
                lock.unlock();
            }
            if (done != null) {
                if (standing == Standing.UNKNOWN) {
                    shown(done.first.origin());
                }
                tell(done.waiting, standing);
            }
        }
    }

    private static void tell(List<Consumer<Standing>> calls, Standing standing) {
        for (Consumer<Standing> call : calls) {
            try {
                call.accept(standing);
            } catch (RuntimeException e) {
                LOG.log(Level.ERROR, "a call could not be started or refused", e);
            }
        }
    }

    private void shown(Object origin) {
        unknown.get(origin, _ -> new Bucket(ticker, UNKNOWN_BURST)).charge(1, UNKNOWN_PER_SECOND);
        allUnknown.charge(1, ALL_UNKNOWN_PER_SECOND);
    }

    private void leave() {
        lock.lock();
        try {
            calls--;
        } finally {
            lock.unlock();
        }
    }

    private static <K> void less(Map<K, Integer> counts, K key) {
        counts.computeIfPresent(key, (_, count) -> count == 1 ? null : count - 1);
    }
}
