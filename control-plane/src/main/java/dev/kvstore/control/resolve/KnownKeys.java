package dev.kvstore.control.resolve;

import dev.kvstore.accounts.resolve.DatabaseKeys;
import dev.kvstore.admin.change.Change;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a fingerprint of every key that exists, as of the last change from the feed, so that a made-up key is refused
 * without a query to the database. Thread-safe.
 */
@Singleton
public final class KnownKeys {
    /** Most fingerprints, 16 MB. If there are more keys, the database is asked about each key. */
    static final int MOST = 2_000_000;

    /** The fingerprints as of a change; replaced as a whole after a reset. */
    private static final class KeyGeneration {
        private final KeyFingerprints fingerprints;
        private volatile long change;

        KeyGeneration(KeyFingerprints fingerprints, long change) {
            this.fingerprints = fingerprints;
            this.change = change;
        }
    }

    private final DatabaseKeys database;
    private final ChangeFeed feed;
    private volatile @Nullable KeyGeneration known;

    KnownKeys(DatabaseKeys database, ChangeFeed feed) {
        this.database = database;
        this.feed = feed;
    }

    void start(@Observes StartupEvent started) {
        feed.onChange(this::hear);
    }

    /**
     * The number of the change as of which a key does not exist; empty if the key may exist, or if the feed has sent
     * nothing for a while.
     *
     * @param sha256 of the whole key
     */
    OptionalLong refusal(byte[] sha256) {
        KeyGeneration now = known;
        if (now == null || !feed.isCurrent()) {
            return OptionalLong.empty();
        }
        // The change is read before the fingerprints: a key that is added meanwhile belongs to a later change.
        long change = now.change;
        return now.fingerprints.has(DatabaseKeys.fingerprint(sha256)) ? OptionalLong.empty() : OptionalLong.of(change);
    }

    /** Whether a key may exist, or have existed. */
    boolean mayBe(byte[] sha256) {
        KeyGeneration now = known;
        return now == null || now.fingerprints.has(DatabaseKeys.fingerprint(sha256));
    }

    private void hear(List<Change> news, long last, boolean reset) {
        KeyGeneration now = known;
        try {
            if (reset || now == null) {
                known = null;
                known = load();
                return;
            }
            Set<String> ids =
                    news.stream().flatMap(change -> change.keyIds().stream()).collect(Collectors.toSet());
            if (!ids.isEmpty()) {
                database.some(ids, now.fingerprints::add);
            }
            now.change = last;
            if (now.fingerprints.size() > MOST) {
                known = null;
            }
        } catch (SQLException e) {
            known = null;
            throw new IllegalStateException("the database does not answer", e);
        }
    }

    private @Nullable KeyGeneration load() throws SQLException {
        LongStream.Builder all = LongStream.builder();
        int[] count = {0};
        long change = database.all(fingerprint -> {
            if (count[0]++ < MOST) {
                all.add(fingerprint);
            }
        });
        return count[0] > MOST
                ? null
                : new KeyGeneration(new KeyFingerprints(all.build().toArray()), change);
    }
}
