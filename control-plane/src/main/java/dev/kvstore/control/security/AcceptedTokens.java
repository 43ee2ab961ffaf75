package dev.kvstore.control.security;

import dev.kvstore.admin.change.Change;
import dev.kvstore.admin.change.ChangeSource;
import dev.kvstore.admin.database.Vital;
import dev.kvstore.clusters.lease.ProcessScope;
import dev.kvstore.clusters.token.JoinTokenText;
import dev.kvstore.clusters.token.JoinTokens;
import dev.kvstore.clusters.token.JoinTokensChanged;
import dev.kvstore.clusters.token.TokenReader;
import dev.kvstore.control.loop.Repeating;
import io.quarkus.agroal.DataSource;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.TransactionPhase;
import jakarta.inject.Singleton;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Keeps all join tokens that are good in memory, so that a call is let in or refused without the database. A token that
 * this control plane revokes is refused from its next call on. A token that another control plane revokes is refused
 * once the change is heard, after {@link #READ_AGAIN} at the latest. Thread-safe.
 */
@Singleton
public final class AcceptedTokens {
    private static final Duration READ_AGAIN = Duration.ofSeconds(2);

    /** The time between two notes of the tokens that were used. */
    private static final Duration NOTED = Duration.ofSeconds(20);

    /** The kinds of resources whose changes affect the tokens or their clusters. */
    private static final Set<String> KINDS = Set.of(JoinTokens.KIND, "cluster");

    private static final Logger LOG = System.getLogger(AcceptedTokens.class.getName());

    private final TokenReader reader;
    private final ChangeSource source;
    private final Clock clock;

    /** One thread reads at a time, so that an earlier reading never replaces a later one. */
    private final ReentrantLock reading = new ReentrantLock();

    private final Set<String> used = ConcurrentHashMap.newKeySet();
    private volatile TokenReader.@Nullable TokensAndClusters known;
    private volatile @Nullable Repeating loop;
    private Instant noted;

    AcceptedTokens(@DataSource(Vital.POOL) javax.sql.DataSource database, ChangeSource source, Clock clock) {
        this.reader = new TokenReader(database);
        this.source = source;
        this.clock = clock;
        this.noted = clock.instant();
    }

    void start(@Observes StartupEvent started) {
        source.onChange(this::hear);
        loop = Repeating.start("join-tokens", READ_AGAIN, "join tokens stay as they were read last", this::round);
    }

    void stop(@Observes ShutdownEvent stopping) {
        Repeating current = loop;
        if (current != null) {
            current.close();
        }
    }

    private void hear(List<Change> news, long last, boolean reset) {
        Repeating current = loop;
        if (current != null && (reset || news.stream().anyMatch(change -> KINDS.contains(change.kind())))) {
            current.wake();
        }
    }

    /** Reads the tokens again before the admin who made or revoked a token here gets the answer. */
    void changed(@Observes(during = TransactionPhase.AFTER_SUCCESS) JoinTokensChanged change) {
        forget(change.revoked());
        try {
            read();
        } catch (SQLException e) {
            LOG.log(
                    Level.WARNING,
                    "a new join token is known later: the database does not answer: {0}",
                    e.getMessage());
        }
    }

    private void forget(Set<String> ids) {
        reading.lock();
        try {
            TokenReader.TokensAndClusters now = known;
            if (now != null && !ids.isEmpty()) {
                Map<String, TokenReader.KnownToken> rest = new HashMap<>(now.tokens());
                rest.keySet().removeAll(ids);
                known = new TokenReader.TokensAndClusters(rest, now.regions());
            }
        } finally {
            reading.unlock();
        }
    }

    private void read() throws SQLException {
        reading.lock();
        try {
            known = reader.all();
        } finally {
            reading.unlock();
        }
    }

    private void round() throws SQLException {
        read();
        Instant now = clock.instant();
        if (Duration.between(noted, now).compareTo(NOTED) >= 0 && !used.isEmpty()) {
            Set<String> ids = Set.copyOf(used);
            reader.used(ids);
            used.removeAll(ids);
            noted = now;
        }
    }

    /** Whether the tokens have been read. */
    boolean isReady() {
        return known != null;
    }

    /** The data plane that shows this token; empty if no good token has this text. */
    Optional<CallingDataPlane> of(JoinTokenText token) {
        TokenReader.KnownToken found = good(token.id());
        if (found == null || !found.isOf(token)) {
            return Optional.empty();
        }
        used.add(found.id());
        return Optional.of(
                new CallingDataPlane(ProcessScope.of(found.cluster()), found.region(), () -> good(found.id()) != null));
    }

    /** The region of a cluster; empty if the cluster is not registered. */
    Optional<String> regionOf(String cluster) {
        TokenReader.TokensAndClusters now = known;
        return now == null
                ? Optional.empty()
                : Optional.ofNullable(now.regions().get(cluster));
    }

    private TokenReader.@Nullable KnownToken good(String id) {
        TokenReader.TokensAndClusters now = known;
        TokenReader.KnownToken found = now == null ? null : now.tokens().get(id);
        return found != null && found.isGood(clock.instant()) ? found : null;
    }
}
