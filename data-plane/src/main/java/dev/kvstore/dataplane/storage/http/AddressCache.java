package dev.kvstore.dataplane.storage.http;

import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import com.github.benmanes.caffeine.cache.CacheLoader;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The addresses of names. They are looked up again once they are older than their time to live, and used until that is
 * answered: so neither a slow nor a broken name server holds up a name that is known. Thread-safe.
 */
final class AddressCache {
    /** Asks for all addresses of a name, and may block. */
    @FunctionalInterface
    interface AddressLookup {
        InetAddress[] find(String host) throws UnknownHostException;
    }

    // Most remembered names: far more hosts than one process serves accounts of.
    private static final long MOST_NAMES = 10_000;

    /**
     * Lookups at a time, one for each name; further names wait. Each takes a thread and a socket, for 10 s or more if
     * the name's servers do not answer: many, so that such names do not delay others.
     */
    static final int MOST_LOOKUPS = 128;

    /** The time after which a name that nobody asks for is forgotten. */
    static final Duration FORGOTTEN = Duration.ofHours(1);

    private final AsyncLoadingCache<String, List<InetAddress>> known;

    AddressCache(Duration timeToLive, AddressLookup lookup, Ticker ticker, Executor executor) {
        CacheLoader<String, List<InetAddress>> loader = host -> List.of(lookup.find(host));
        this.known = Caffeine.newBuilder()
                .maximumSize(MOST_NAMES)
                .refreshAfterWrite(timeToLive)
                .expireAfterAccess(FORGOTTEN)
                .ticker(ticker)
                .executor(executor)
                .buildAsync(loader);
    }

    /** A cache that resolves names as this machine is configured: hosts file, name service switch, DNS. */
    static AddressCache ofSystem(Duration timeToLive) {
        return new AddressCache(timeToLive, InetAddress::getAllByName, Ticker.systemTicker(), threads());
    }

    /**
     * Threads that end when they are idle. They are not virtual: the operating system's resolver holds on to its
     * thread.
     */
    static Executor threads() {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                MOST_LOOKUPS,
                MOST_LOOKUPS,
                1,
                TimeUnit.MINUTES,
                new LinkedBlockingQueue<>((int) MOST_NAMES),
                Thread.ofPlatform().daemon().name("storage-names-", 0).factory());
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /** The addresses of a host, one or more, in the system's order of preference; or {@link UnknownHostException}. */
    CompletableFuture<List<InetAddress>> addresses(String host) {
        return known.get(host);
    }
}
