package dev.kvstore.accounts.key;

import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.change.Affected;
import dev.kvstore.admin.change.ChangeLog;
import dev.kvstore.admin.change.Subject;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.util.List;

/** Revokes keys, each with a change of its own in the log. Thread-safe. */
@ApplicationScoped
public class KeyRevocation {
    static final String KIND = "key";

    private final KeyRepository keys;
    private final ChangeLog changes;
    private final Clock clock;

    KeyRevocation(KeyRepository keys, ChangeLog changes, Clock clock) {
        this.keys = keys;
        this.changes = changes;
        this.clock = clock;
    }

    /** Revokes all of a tenant's keys, in a transaction that has begun a change. */
    public void revokeAll(Caller caller, String tenant) {
        revoke(caller, keys.unrevoked(tenant));
    }

    /** Revokes keys that were not revoked, in a transaction that has begun a change. */
    void revoke(Caller caller, List<ApiKey> unrevoked) {
        List<KeyView> before = unrevoked.stream().map(KeyView::of).toList();
        unrevoked.forEach(key -> key.revoke(clock.instant()));
        keys.flush();
        for (int i = 0; i < before.size(); i++) {
            ApiKey key = unrevoked.get(i);
            changes.record(
                    caller,
                    ChangeLog.Action.REVOKE,
                    new Subject(KIND, key.id(), key.tenant()),
                    before.get(i),
                    KeyView.of(key),
                    Affected.key(key.id()));
        }
    }
}
