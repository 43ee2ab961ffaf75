package dev.kvstore.dataplane.call;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;

/**
 * Logs which action was refused to which key: the control plane hears of keys and accounts, but rights in partitions
 * are held here. The same refusal is logged once in {@link #AGAIN}, so that a caller that keeps trying does not fill
 * the log. Thread-safe.
 */
public final class RefusalLog {
    /** The name of the log, which has a level of its own: it is written whatever the level of the rest. */
    static final String NAME = "kvstore.audit";

    private static final Logger LOG = System.getLogger(NAME);
    private static final Duration AGAIN = Duration.ofMinutes(1);
    private static final int REMEMBERED = 10_000;

    private record LoggedRefusal(String keyId, String resourceName, String what) {}

    private final Cache<LoggedRefusal, Boolean> told = Caffeine.newBuilder()
            .maximumSize(REMEMBERED)
            .expireAfterWrite(AGAIN)
            .executor(Runnable::run)
            .build();

    /**
     * Logs an action that was refused to a key.
     *
     * @param what the refused action, without secrets, such as {@code to write in partition m1}
     */
    public void refused(String keyId, String resourceName, String what) {
        if (told.asMap().putIfAbsent(new LoggedRefusal(keyId, resourceName, what), true) == null) {
            // A name with the end of a line in it would begin a line of its own.
            String line = what.replaceAll("\\p{Cntrl}", "?");
            LOG.log(Level.INFO, "refused: key {0}, resource {1}, {2}", keyId, resourceName, line);
        }
    }
}
