package dev.kvstore.accounts.key;

import dev.kvstore.accounts.tenant.Quotas;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;

/** Whether a tenant has room for one more key. Thread-safe. */
@ApplicationScoped
public class KeyRoom {
    private final KeyRepository keys;
    private final Quotas quotas;

    KeyRoom(KeyRepository keys, Quotas quotas) {
        this.keys = keys;
        this.quotas = quotas;
    }

    /**
     * Holds if there may be one more.
     *
     * @param ending how many of those that are good end with it
     * @throws dev.kvstore.admin.problem.ProblemException if not
     */
    void require(String tenant, Instant now, int ending) {
        quotas.requireRoom(Quotas.What.KEYS, keys.countGood(tenant, now) - ending);
        // Keys that end in a second would be without number.
        quotas.requireRoom(Quotas.What.KEPT_KEYS, keys.countOf(tenant));
    }
}
