package dev.kvstore.accounts.key;

import dev.kvstore.accounts.tenant.Quotas;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;

/** Checks whether a tenant has room for one more key. Thread-safe. */
@ApplicationScoped
public class KeyRoom {
    private final KeyRepository keys;
    private final Quotas quotas;

    KeyRoom(KeyRepository keys, Quotas quotas) {
        this.keys = keys;
        this.quotas = quotas;
    }

    /**
     * Checks that there may be one more key.
     *
     * @param ending the number of good keys that end when the new key begins, as in a rotation without overlap
     * @throws dev.kvstore.admin.problem.ProblemException if there may not
     */
    void require(String tenant, Instant now, int ending) {
        quotas.requireRoom(Quotas.What.KEYS, keys.countGood(tenant, now) - ending);
        // Without this bound a tenant could make any number of keys that end within a second.
        quotas.requireRoom(Quotas.What.KEPT_KEYS, keys.countOf(tenant));
    }
}
