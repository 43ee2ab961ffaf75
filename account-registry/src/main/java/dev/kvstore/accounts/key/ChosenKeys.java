package dev.kvstore.accounts.key;

import dev.kvstore.accounts.tenant.Tenants;
import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.caller.Realm;
import dev.kvstore.admin.change.Affected;
import dev.kvstore.admin.change.ChangeLog;
import dev.kvstore.admin.change.Subject;
import dev.kvstore.admin.name.End;
import dev.kvstore.admin.page.Precondition;
import dev.kvstore.admin.page.PutOutcome;
import dev.kvstore.admin.problem.ProblemException;
import dev.kvstore.admin.problem.ProblemKind;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * API keys whose id and secret the caller chooses. A repeated request changes nothing, so a caller may repeat it when
 * an answer was lost. Thread-safe.
 */
@ApplicationScoped
public class ChosenKeys {
    private static final String KIND = KeyRevocation.KIND;

    private final KeyRepository keys;
    private final Tenants tenants;
    private final KeyRoom room;
    private final ChangeLog changes;
    private final Clock clock;

    ChosenKeys(KeyRepository keys, Tenants tenants, KeyRoom room, ChangeLog changes, Clock clock) {
        this.keys = keys;
        this.tenants = tenants;
        this.room = room;
        this.changes = changes;
        this.clock = clock;
    }

    /**
     * Makes a key, or changes the label and the end of the key with this id. A key that a rotation replaced ends no
     * later than the rotation said.
     *
     * @throws ProblemException conflict, if the id belongs to a key of another tenant, to a key with another secret, or
     *     to a key that has ended
     */
    @Transactional
    PutOutcome<KeyView> put(Caller caller, String tenant, String id, ChosenKeySpec spec, Precondition precondition) {
        caller.requireChanges(tenant, "tenant", tenant);
        byte[] sha256 = sha256(id, spec);
        changes.begin(caller, Realm.TENANTS);
        tenants.requireLive(tenant);
        ApiKey key = keys.findById(id);
        if (key != null && !key.tenant().equals(tenant)) {
            throw ProblemException.of(ProblemKind.CONFLICT, "the id " + id + " is taken: choose another at random");
        }
        precondition.check(key == null ? null : key.version());
        String label = spec.label() == null ? "" : spec.label();
        // PostgreSQL keeps microseconds: a repeated request must bring the same time.
        Instant end = spec.expiresAt() == null ? null : spec.expiresAt().truncatedTo(ChronoUnit.MICROS);
        return key == null ? create(caller, tenant, id, sha256, label, end) : change(caller, key, sha256, label, end);
    }

    /** The SHA-256 of the whole key in a body; null if the body has none. */
    private static byte @Nullable [] sha256(String id, ChosenKeySpec spec) {
        if (spec.secret() != null && spec.sha256() != null) {
            throw ProblemException.invalid("sha256", "must be left out if secret is sent");
        }
        if (spec.secret() != null) {
            return Secrets.sha256(Secrets.key(id, spec.secret()));
        }
        return spec.sha256() == null ? null : HexFormat.of().parseHex(spec.sha256());
    }

    private PutOutcome<KeyView> create(
            Caller caller, String tenant, String id, byte @Nullable [] sha256, String label, @Nullable Instant end) {
        if (sha256 == null) {
            throw ProblemException.invalid("secret", "is missing: a new key has a secret, or the sha256 of the key");
        }
        if (keys.isForgotten(id)) {
            throw ended("the key " + id + " has ended and was forgotten");
        }
        Instant now = clock.instant();
        End.check("expiresAt", end, now);
        room.require(tenant, now, 0);
        ApiKey key = new ApiKey(id, tenant, label, sha256, now, end);
        keys.persistAndFlush(key);
        return new PutOutcome<>(record(caller, ChangeLog.Action.CREATE, null, key), key.version(), true);
    }

    private PutOutcome<KeyView> change(
            Caller caller, ApiKey key, byte @Nullable [] sha256, String label, @Nullable Instant end) {
        if (key.revokedAt() != null) {
            throw ended("the key " + key.id() + " was revoked");
        }
        if (sha256 != null && !key.isOf(sha256)) {
            throw ProblemException.of(
                    ProblemKind.CONFLICT,
                    "the key " + key.id() + " has another secret: choose another id for a new key");
        }
        Instant now = clock.instant();
        boolean same = Objects.equals(end, key.expiresAt());
        if (!same && !key.isGood(now)) {
            throw ended("the key " + key.id() + " ended at " + key.expiresAt());
        }
        if (!same) {
            End.check("expiresAt", end, now);
        }
        KeyView before = KeyView.of(key);
        key.change(label, end);
        keys.flush();
        return new PutOutcome<>(record(caller, ChangeLog.Action.UPDATE, before, key), key.version(), false);
    }

    /** The refusal for a key that has ended: its secret may have leaked, and must never open anything again. */
    private static ProblemException ended(String fact) {
        return ProblemException.of(
                ProblemKind.CONFLICT, fact + ", and never lives again: make a key with another id and a new secret");
    }

    private KeyView record(Caller caller, ChangeLog.Action action, @Nullable KeyView before, ApiKey key) {
        KeyView after = KeyView.of(key);
        changes.record(
                caller, action, new Subject(KIND, key.id(), key.tenant()), before, after, Affected.key(key.id()));
        return after;
    }
}
