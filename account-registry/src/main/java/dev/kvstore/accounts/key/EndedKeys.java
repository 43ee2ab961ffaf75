package dev.kvstore.accounts.key;

import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.caller.Realm;
import dev.kvstore.admin.caller.Role;
import dev.kvstore.admin.change.ChangeLog;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.time.Clock;
import java.time.Duration;

/**
 * Forgets keys some time after they ended, so that their number stays bounded. The ids are kept, so that none of them
 * is ever a key again. Thread-safe.
 */
@ApplicationScoped
public class EndedKeys {
    /** The time for which a key is kept after its end. */
    public static final Duration KEPT = Duration.ofDays(7);

    private static final int FORGOTTEN_AT_ONCE = 1_000;

    private static final Caller PLATFORM = new Caller("control-plane", Role.PLATFORM_ADMIN, null);

    private final KeyRepository keys;
    private final ChangeLog changes;
    private final Clock clock;

    EndedKeys(KeyRepository keys, ChangeLog changes, Clock clock) {
        this.keys = keys;
        this.changes = changes;
        this.clock = clock;
    }

    /**
     * Forgets a bounded number of keys.
     *
     * @return whether there may be more to forget
     */
    @Transactional
    public boolean forget() {
        changes.begin(PLATFORM, Realm.TENANTS);
        return keys.forget(clock.instant().minus(KEPT), FORGOTTEN_AT_ONCE) > 0;
    }
}
