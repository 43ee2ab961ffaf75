package dev.kvstore.dataplane.service;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.account.Account;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The usage of accounts with limits, remembered while they have calls and for {@link #MEMORY} afterwards. Thread-safe
 * if {@code random} is used under the lock of the {@link Operations}.
 */
final class Shares {
    /** Time after which the usage of an account without calls is forgotten, with any debt. */
    static final Duration MEMORY = Duration.ofMinutes(10);

    /** Most remembered accounts without calls, some 200 bytes each. */
    private static final int REMEMBERED = 10_000;

    private final Ticker ticker;
    private final RandomGenerator random;
    // A call keeps the usage of its account from being forgotten; the other cache keeps it for a while.
    private final Cache<String, Share.Taken> used =
            Caffeine.newBuilder().weakValues().executor(Runnable::run).<String, Share.Taken>build();
    private final Cache<String, Share.Taken> recent;
    private final Share.Taken free;

    Shares(Ticker ticker, RandomGenerator random) {
        this.ticker = ticker;
        this.random = random;
        this.recent = Caffeine.newBuilder()
                .expireAfterAccess(MEMORY)
                .maximumSize(REMEMBERED)
                .ticker(ticker)
                .executor(Runnable::run)
                .<String, Share.Taken>build();
        this.free = new Share.Taken(ticker, random);
    }

    /** The usage of an account, with its present limits. */
    Share of(Account account) {
        if (account.limits().equals(Account.Limits.NONE)) {
            return new Share(account, free);
        }
        String name = account.resourceName();
        Share.Taken taken = used.get(name, _ -> new Share.Taken(ticker, random));
        recent.put(name, taken);
        return new Share(account, taken);
    }
}
