package dev.kvstore.clusters.token;

import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.caller.Realm;
import dev.kvstore.admin.change.Affected;
import dev.kvstore.admin.change.ChangeLog;
import dev.kvstore.admin.change.Subject;
import dev.kvstore.admin.name.End;
import dev.kvstore.admin.page.Cursor;
import dev.kvstore.admin.page.Page;
import dev.kvstore.admin.page.Precondition;
import dev.kvstore.admin.problem.ProblemException;
import dev.kvstore.admin.problem.ProblemKind;
import dev.kvstore.clusters.cluster.ClusterRepository;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.transaction.Transactional;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes, lists and revokes join tokens; each method checks the role of its caller. Thread-safe. */
@ApplicationScoped
public class JoinTokens {
    /** The kind of a join token in the audit log. */
    public static final String KIND = "join-token";

    /** The most tokens of a cluster, expired ones included: every control plane has all of them in memory. */
    static final int MOST = 100;

    private final JoinTokenRepository tokens;
    private final ClusterRepository clusters;
    private final ChangeLog changes;
    private final Event<JoinTokensChanged> changed;
    private final SecureRandom random;
    private final Clock clock;

    JoinTokens(
            JoinTokenRepository tokens,
            ClusterRepository clusters,
            ChangeLog changes,
            Event<JoinTokensChanged> changed,
            SecureRandom random,
            Clock clock) {
        this.tokens = tokens;
        this.clusters = clusters;
        this.changes = changes;
        this.changed = changed;
        this.random = random;
        this.clock = clock;
    }

    @Transactional
    Page<JoinTokenView> page(String cluster, @Nullable String cursor, int limit) {
        requireCluster(cluster);
        return Page.of(tokens.page(cluster, Cursor.name(cursor), limit + 1), limit, JoinToken::id, JoinTokenView::of);
    }

    private void requireCluster(String cluster) {
        if (clusters.findById(cluster) == null) {
            throw ProblemException.notFound("cluster", cluster);
        }
    }

    @Transactional
    JoinTokenView get(String cluster, String id) {
        return JoinTokenView.of(find(cluster, id));
    }

    private JoinToken find(String cluster, String id) {
        JoinToken token = tokens.findById(id);
        if (token == null || !token.cluster().equals(cluster)) {
            throw ProblemException.notFound(KIND, id);
        }
        return token;
    }

    @Transactional
    NewJoinToken create(Caller caller, String cluster, JoinTokenSpec spec) {
        caller.requireOperator();
        changes.begin(caller, Realm.FLEET);
        requireCluster(cluster);
        End.check("expiresAt", spec.expiresAt(), clock.instant());
        if (tokens.countOf(cluster) >= MOST) {
            throw ProblemException.of(
                    ProblemKind.CONFLICT,
                    cluster + " has " + MOST
                            + " join tokens, the most that a cluster may have: revoke one that is not in use");
        }
        String secret = spec.secret();
        JoinTokenText text = secret == null ? JoinTokenText.make(random) : JoinTokenText.make(random, secret);
        String label = spec.label() == null ? "" : spec.label();
        JoinToken token = new JoinToken(text, cluster, label, clock.instant(), spec.expiresAt());
        tokens.persistAndFlush(token);
        changes.record(
                caller,
                ChangeLog.Action.CREATE,
                new Subject(KIND, token.id(), null),
                null,
                JoinTokenView.of(token).unused(),
                Affected.NONE);
        changed.fire(new JoinTokensChanged(Set.of()));
        return new NewJoinToken(token.id(), text.text(), cluster, label, token.expiresAt());
    }

    @Transactional
    void revoke(Caller caller, String cluster, String id, Precondition precondition) {
        caller.requireOperator();
        changes.begin(caller, Realm.FLEET);
        JoinToken token = find(cluster, id);
        precondition.check(token.version());
        JoinTokenView before = JoinTokenView.of(token).unused();
        tokens.delete(token);
        changes.record(caller, ChangeLog.Action.REVOKE, new Subject(KIND, id, null), before, null, Affected.NONE);
        changed.fire(new JoinTokensChanged(Set.of(id)));
    }
}
