package dev.kvstore.dataplane.call;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.account.Account;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The usage of accounts with limits, remembered while they have calls and for {@link #MEMORY} afterwards. Thread-safe
 * if {@code random} is used under the lock of the {@link CallAdmission}.
 */
final class AccountUsages {
    /** Time after which the usage of an account without calls is forgotten, with any debt. */
    static final Duration MEMORY = Duration.ofMinutes(10);

    /** Most remembered accounts without calls, some 200 bytes each. */
    private static final int REMEMBERED = 10_000;

    private final Ticker ticker;
    private final RandomGenerator random;
    // A call keeps the usage of its account from being forgotten; the other cache keeps it for a while.
    private final Cache<String, AccountUsage.UsageTaken> used =
            Caffeine.newBuilder().weakValues().executor(Runnable::run).<String, AccountUsage.UsageTaken>build();
    private final Cache<String, AccountUsage.UsageTaken> recent;
    private final AccountUsage.UsageTaken free;

    AccountUsages(Ticker ticker, RandomGenerator random) {
        this.ticker = ticker;
        this.random = random;
        this.recent = Caffeine.newBuilder()
                .expireAfterAccess(MEMORY)
                .maximumSize(REMEMBERED)
                .ticker(ticker)
                .executor(Runnable::run)
                .<String, AccountUsage.UsageTaken>build();
        this.free = new AccountUsage.UsageTaken(ticker, random);
    }

    /** The usage of an account, with its present limits. */
    AccountUsage of(Account account) {
        if (account.limits().equals(Account.Limits.NONE)) {
            return new AccountUsage(account, free);
        }
        String name = account.resourceName();
        AccountUsage.UsageTaken taken = used.get(name, _ -> new AccountUsage.UsageTaken(ticker, random));
        recent.put(name, taken);
        return new AccountUsage(account, taken);
    }
}
