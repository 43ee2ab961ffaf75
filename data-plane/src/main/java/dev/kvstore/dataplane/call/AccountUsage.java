package dev.kvstore.dataplane.call;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.account.Account;
import dev.kvstore.dataplane.rate.Bucket;
import dev.kvstore.protocol.format.BlockHeader;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The usage of an account at this data plane, and its limits. Calls are counted under the lock of their
 * {@link CallAdmission}; bytes by any thread.
 */
public final class AccountUsage {
    /** The usage alone, which stays when the limits change. */
    static final class UsageTaken {
        private final Bucket bytes;
        private final RetryHint hint;
        private int running;

        UsageTaken(Ticker ticker, RandomGenerator random) {
            this.bytes = new Bucket(ticker, BlockHeader.MAX_BUFFER_BYTES);
            this.hint = new RetryHint(random, ticker.read());
        }
    }

    private final String resourceName;
    private final Account.Limits limits;
    private final UsageTaken taken;

    AccountUsage(Account account, UsageTaken taken) {
        this.resourceName = account.resourceName();
        this.limits = account.limits();
        this.taken = taken;
    }

    boolean isOf(Account account) {
        return limits.equals(account.limits()) && resourceName.equals(account.resourceName());
    }

    /** With the lock held: whether as many of its calls run as its limit allows. */
    boolean isFull() {
        return limits.operations() > 0 && taken.running >= limits.operations();
    }

    /** With the lock held: one more of its calls runs. */
    void began() {
        taken.running++;
    }

    /** With the lock held: one of its calls has ended, after running for a time. */
    void ended(long nanos) {
        taken.running--;
        taken.hint.ended(nanos);
    }

    /** With the lock held: the retry delay for a call that found no room. */
    Duration hint(long now) {
        return taken.hint.next(now, limits.operations());
    }

    /** Time until the account may move a block; zero if it may now. */
    public Duration due() {
        return isPaced() ? taken.bytes.due(limits.bytesPerSecond()) : Duration.ZERO;
    }

    /** Counts a block if the account may move it now; otherwise answers the time until it may. */
    public Duration take(long bytes) {
        return isPaced() ? taken.bytes.take(bytes, limits.bytesPerSecond()) : Duration.ZERO;
    }

    /** Counts a block that is moved in any case. */
    public void charge(long bytes) {
        if (isPaced()) {
            taken.bytes.charge(bytes, limits.bytesPerSecond());
        }
    }

    /** Bytes that one of its streams may load ahead: the limit lets it send no more in a second. */
    public long aheadBytes(long most) {
        return isPaced() ? Math.min(most, limits.bytesPerSecond()) : most;
    }

    private boolean isPaced() {
        return limits.bytesPerSecond() > 0;
    }

    /** The text for a call that found no room. */
    String full() {
        return "the server is serving " + limits.operations() + " calls of " + resourceName
                + ", which is the limit of this account at a time";
    }

    /** The text for a block that would be moved too soon. */
    String spent() {
        return resourceName + " has moved more than the " + limits.bytesPerSecond()
                + " bytes a second that its limit lets it read and write";
    }
}
