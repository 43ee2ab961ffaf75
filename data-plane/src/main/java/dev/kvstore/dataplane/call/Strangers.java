package dev.kvstore.dataplane.call;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.account.AccountResolver;
import dev.kvstore.dataplane.account.Credential;
import dev.kvstore.dataplane.account.KeyStanding;
import dev.kvstore.dataplane.rate.Bucket;
import dev.kvstore.listener.CallerConnection;
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
 * Calls whose API key was never seen to be good here. They wait, holding nothing but their headers, until the control
 * plane has answered about the key. The number of keys asked about at a time is limited, also for each connection and
 * address. An address that shows many keys that do not exist is refused for a while without asking. Thread-safe; never
 * waits.
 */
public final class Strangers {
    private static final Logger LOG = System.getLogger(Strangers.class.getName());

    /** Keys that are asked about at a time. */
    public static final int KEYS = 64;

    /** Keys of one address that are asked about at a time: half of them, so that no address keeps all others out. */
    public static final int KEYS_OF_ADDRESS = 32;

    /** Keys of one connection that are asked about at a time. */
    public static final int KEYS_OF_CONNECTION = 8;

    /** Most calls that wait for answers. A client may begin with many calls, and all of them wait. */
    static final int CALLS = 10_000;

    /** Keys of one address that do not exist: so many at once, then so many a second. */
    public static final int UNKNOWN_BURST = 100;

    static final int UNKNOWN_PER_SECOND = 20;

    /** The same for the unknown keys of all addresses together: as many as a control plane answers easily. */
    public static final int ALL_UNKNOWN_BURST = 500;

    static final int ALL_UNKNOWN_PER_SECOND = 200;

    /** Addresses whose unknown keys are counted: the addresses that showed one last. */
    private static final int ADDRESSES = 10_000;

    private static final Duration FORGET = Duration.ofMinutes(1);

    /** Why a call was refused after reading only its headers. */
    public enum StrangerRefusal {
        /** The caller showed no key, or a text that is not a key. */
        NO_KEY("no_key"),
        /** The caller's key does not exist. */
        UNKNOWN_KEY("unknown_key"),
        /** Too many keys were being asked about, or the caller's address had shown too many keys that do not exist. */
        BUSY("busy"),
        /** The control plane did not answer about the caller's key. */
        UNANSWERED("unanswered"),
        /** The call was to a service that needs no key, and too many such calls were open. */
        PUBLIC_CALLS("public_calls"),
        /** The call was to a service with short messages, and sent a long one, or none in time. */
        PUBLIC_MESSAGE("public_message");

        private final String tag;

        StrangerRefusal(String tag) {
            this.tag = tag;
        }

        /** The name of this reason in meters. */
        public String tag() {
            return tag;
        }
    }

    private record PendingKeyCheck(CallerConnection first, List<Consumer<KeyStanding>> waiting) {}

    private final AccountResolver accounts;
    private final Ticker ticker;
    private final Executor executor;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Credential, PendingKeyCheck> asked = new HashMap<>();
    private final Map<Object, Integer> ofAddress = new HashMap<>();
    private final Map<CallerConnection, Integer> ofConnection = new HashMap<>();
    private final Cache<Object, Bucket> unknown;
    private final Bucket allUnknown;
    private final Map<StrangerRefusal, LongAdder> refused = new EnumMap<>(StrangerRefusal.class);
    private int calls;

    /**
     * No call waits.
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
        for (StrangerRefusal reason : StrangerRefusal.values()) {
            refused.put(reason, new LongAdder());
        }
    }

    /** Number of waiting calls. */
    public int waiting() {
        lock.lock();
        try {
            return calls;
        } finally {
            lock.unlock();
        }
    }

    /** Number of refused calls. */
    public long refused(StrangerRefusal reason) {
        return counter(reason).sum();
    }

    /** Counts a refused call. */
    void count(StrangerRefusal reason) {
        counter(reason).increment();
    }

    private LongAdder counter(StrangerRefusal reason) {
        LongAdder counter = refused.get(reason);
        if (counter == null) {
            throw new IllegalStateException("every reason is counted, " + reason + " is not");
        }
        return counter;
    }

    /**
     * Asks about the key of a call.
     *
     * @param then receives the answer, on another thread; must not wait
     * @return false if too many keys are asked about, or the address has shown too many keys that do not exist
     */
    public boolean ask(Credential credential, CallerConnection caller, Consumer<KeyStanding> then) {
        Consumer<KeyStanding> heard = standing -> {
            leave();
            then.accept(standing);
        };
        lock.lock();
        try {
            if (calls >= CALLS) {
                return false;
            }
            PendingKeyCheck check = asked.get(credential);
            if (check != null) {
                check.waiting.add(heard);
                calls++;
                return true;
            }
            // Keys that existed once are few, and do not wait behind keys that were never heard of.
            if (accounts.standing(credential) != KeyStanding.DOUBTED && !mayAsk(caller)) {
                return false;
            }
            asked.put(credential, new PendingKeyCheck(caller, new ArrayList<>(List.of(heard))));
            ofAddress.merge(caller.origin(), 1, Integer::sum);
            ofConnection.merge(caller, 1, Integer::sum);
            calls++;
        } finally {
            lock.unlock();
        }
        executor.execute(() -> answer(credential));
        return true;
    }

    private boolean mayAsk(CallerConnection caller) {
        return asked.size() < KEYS
                && ofAddress.getOrDefault(caller.origin(), 0) < KEYS_OF_ADDRESS
                && ofConnection.getOrDefault(caller, 0) < KEYS_OF_CONNECTION
                && !hasShownTooMany(caller.origin());
    }

    /** An address that has shown no unknown key of late is heard whatever all others show: it may be a new client. */
    private boolean hasShownTooMany(Object origin) {
        Bucket ofOrigin = unknown.getIfPresent(origin);
        return ofOrigin != null
                && (ofOrigin.due(UNKNOWN_PER_SECOND).isPositive()
                        || allUnknown.due(ALL_UNKNOWN_PER_SECOND).isPositive());
    }

    private void answer(Credential credential) {
        KeyStanding standing = KeyStanding.UNHEARD;
        try {
            standing = accounts.identify(credential);
        } finally {
            PendingKeyCheck done;
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
                if (standing == KeyStanding.UNKNOWN || standing == KeyStanding.EXPIRED) {
                    shown(done.first.origin());
                }
                tell(done.waiting, standing);
            }
        }
    }

    private static void tell(List<Consumer<KeyStanding>> calls, KeyStanding standing) {
        for (Consumer<KeyStanding> call : calls) {
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
