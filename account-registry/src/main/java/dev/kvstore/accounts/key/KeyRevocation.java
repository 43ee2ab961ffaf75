package dev.kvstore.accounts.key;

import dev.kvstore.accounts.tenant.TenantDependent;
import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.change.Affected;
import dev.kvstore.admin.change.ChangeLog;
import dev.kvstore.admin.change.Subject;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Instant;
import java.util.List;

/** Revokes keys, each with a change of its own in the log. Thread-safe. */
@ApplicationScoped
public class KeyRevocation implements TenantDependent {
    static final String KIND = "key";

    private static final int AT_ONCE = 1_000;

    private final KeyRepository keys;
    private final ChangeLog changes;
    private final Clock clock;

    KeyRevocation(KeyRepository keys, ChangeLog changes, Clock clock) {
        this.keys = keys;
        this.changes = changes;
        this.clock = clock;
    }

    @Override
    public Affected affected(String tenant) {
        return new Affected(keys.ids(tenant, clock.instant(), Affected.MOST + 1), List.of());
    }

    @Override
    public void end(Caller caller, String tenant) {
        Instant now = clock.instant();
        for (List<KeyView> good = keys.good(tenant, now, AT_ONCE);
                !good.isEmpty();
                good = keys.good(tenant, now, AT_ONCE)) {
            keys.revoke(good.stream().map(KeyView::id).toList(), now);
            changes.record(
                    caller,
                    ChangeLog.Action.REVOKE,
                    good.stream().map(key -> entry(key, key.revoked(now))).toList());
        }
    }

    /** Revokes a key that was not revoked, in a transaction that has begun a change. */
    void revoke(Caller caller, ApiKey key) {
        KeyView before = KeyView.of(key);
        key.revoke(clock.instant());
        keys.flush();
        changes.record(caller, ChangeLog.Action.REVOKE, List.of(entry(before, KeyView.of(key))));
    }

    private static ChangeLog.Entry entry(KeyView before, KeyView after) {
        return new ChangeLog.Entry(
                new Subject(KIND, before.id(), before.tenant()), before, after, Affected.key(before.id()));
    }
}
