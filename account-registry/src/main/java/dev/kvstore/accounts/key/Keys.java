package dev.kvstore.accounts.key;

import dev.kvstore.accounts.tenant.Tenants;
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
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.time.Clock;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** API keys: reading and changing them, as far as the caller may. Thread-safe. */
@ApplicationScoped
public class Keys {
    private static final String KIND = KeyRevocation.KIND;

    private final KeyRepository keys;
    private final KeyRevocation revocation;
    private final Tenants tenants;
    private final KeyRoom room;
    private final ChangeLog changes;
    private final Clock clock;

    Keys(KeyRepository keys, KeyRevocation revocation, Tenants tenants, KeyRoom room, ChangeLog changes, Clock clock) {
        this.keys = keys;
        this.revocation = revocation;
        this.tenants = tenants;
        this.room = room;
        this.changes = changes;
        this.clock = clock;
    }

    @Transactional
    Page<KeyView> page(Caller caller, String tenant, @Nullable String cursor, int limit) {
        caller.requireSees(tenant, "tenant", tenant);
        return Page.of(keys.page(tenant, Cursor.name(cursor), limit + 1), limit, ApiKey::id, KeyView::of);
    }

    @Transactional
    KeyView get(Caller caller, String tenant, String id) {
        caller.requireSees(tenant, "tenant", tenant);
        return KeyView.of(find(tenant, id));
    }

    private ApiKey find(String tenant, String id) {
        ApiKey key = keys.findById(id);
        if (key == null || !key.tenant().equals(tenant)) {
            throw ProblemException.notFound(KIND, id);
        }
        return key;
    }

    /** @param text the whole key, which nobody has yet */
    @Transactional
    NewKey create(Caller caller, String tenant, KeySpec spec, String text) {
        caller.requireChanges(tenant, "tenant", tenant);
        changes.begin(caller, Realm.TENANTS);
        tenants.requireLive(tenant);
        End.check("expiresAt", spec.expiresAt(), clock.instant());
        room.require(tenant, clock.instant(), 0);
        ApiKey key = key(text, tenant, spec.label() == null ? "" : spec.label(), spec.expiresAt());
        return create(caller, key, text);
    }

    private ApiKey key(String text, String tenant, String label, @Nullable Instant expiresAt) {
        return new ApiKey(Secrets.id(text), tenant, label, Secrets.sha256(text), clock.instant(), expiresAt);
    }

    private NewKey create(Caller caller, ApiKey key, String text) {
        keys.persistAndFlush(key);
        changes.record(
                caller,
                ChangeLog.Action.CREATE,
                new Subject(KIND, key.id(), key.tenant()),
                null,
                KeyView.of(key),
                Affected.key(key.id()));
        return shown(key, text);
    }

    private static NewKey shown(ApiKey key, String text) {
        return new NewKey(key.id(), text, key.tenant(), key.label(), key.expiresAt());
    }

    /**
     * Finds a key that was made. Waits first until all changes under way are over, also a change whose commit was not
     * answered in time.
     *
     * @return null if the key was not made
     */
    @Transactional(Transactional.TxType.REQUIRES_NEW)
    @Nullable
    NewKey made(Caller caller, String text) {
        changes.begin(caller, Realm.TENANTS);
        ApiKey key = keys.findById(Secrets.id(text));
        return key == null || !key.isOf(text) ? null : shown(key, text);
    }

    @Transactional
    void revoke(Caller caller, String tenant, String id, Precondition precondition) {
        caller.requireChanges(tenant, "tenant", tenant);
        changes.begin(caller, Realm.TENANTS);
        ApiKey key = find(tenant, id);
        precondition.check(key.version());
        if (key.revokedAt() != null) {
            return;
        }
        revocation.revoke(caller, key);
    }

    /**
     * Makes a key that replaces another one, which stays good for a while.
     *
     * @param text the whole new key, which nobody has yet
     */
    @Transactional
    NewKey rotate(Caller caller, String tenant, String id, RotationSpec spec, String text) {
        caller.requireChanges(tenant, "tenant", tenant);
        changes.begin(caller, Realm.TENANTS);
        tenants.requireLive(tenant);
        ApiKey key = find(tenant, id);
        Instant now = clock.instant();
        if (!key.isGood(now)) {
            throw ProblemException.of(
                    ProblemKind.CONFLICT, "the key " + id + " has expired or was revoked: make a new one");
        }
        if (key.successor() != null) {
            throw ProblemException.of(
                    ProblemKind.CONFLICT,
                    "the key " + id + " was rotated already: rotate " + key.successor() + " instead");
        }
        KeyView before = KeyView.of(key);
        room.require(tenant, now, spec.overlap() == 0 ? 1 : 0);
        ApiKey next = key(text, tenant, key.label(), key.expiresAt());
        next.follow(key, now.plusSeconds(spec.overlap()));
        NewKey made = create(caller, next, text);
        changes.record(
                caller,
                ChangeLog.Action.ROTATE,
                new Subject(KIND, id, tenant),
                before,
                KeyView.of(key),
                Affected.key(id));
        return made;
    }
}
