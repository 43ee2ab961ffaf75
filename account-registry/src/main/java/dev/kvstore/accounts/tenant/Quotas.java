package dev.kvstore.accounts.tenant;

import dev.kvstore.admin.problem.ProblemException;
import dev.kvstore.admin.problem.ProblemKind;
import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The most that one tenant may register, so that no tenant fills the registry. Immutable. */
@ApplicationScoped
public class Quotas {
    /** The resources that quotas count. */
    public enum What {
        ACCOUNTS("a tenant has at most %d accounts"),
        KEYS("a tenant has at most %d keys that are good"),
        /** Keys of a tenant, including ended keys that are not forgotten yet. */
        KEPT_KEYS("a tenant has at most %d keys, keys that ended in the last 7 days included"),
        GRANTS("an account has at most %d grants"),
        /** Grants of a tenant's accounts to one other tenant: deleting that tenant ends them all at once. */
        GRANTS_TO_ONE("a tenant gives another one at most %d grants"),
        WARMINGS("a tenant has at most %d warmings that are not over"),
        PURGES("a tenant has at most %d purges that are not over");

        private final String rule;

        What(String rule) {
            this.rule = rule;
        }
    }

    private static final int MOST_TO_ONE = 10_000;

    /** The number of kept keys for each key that may be good. */
    private static final int KEPT_FOR_EACH = 10;

    private final int accounts;
    private final int keys;
    private final int grants;
    private final int warmings;
    private final int purges;

    Quotas(
            @ConfigProperty(name = "kvstore.max-accounts-per-tenant") int accounts,
            @ConfigProperty(name = "kvstore.max-keys-per-tenant") int keys,
            @ConfigProperty(name = "kvstore.max-grants-per-account") int grants,
            @ConfigProperty(name = "kvstore.max-warmings-per-tenant") int warmings,
            @ConfigProperty(name = "kvstore.max-purges-per-tenant") int purges) {
        this.accounts = accounts;
        this.keys = keys;
        this.grants = grants;
        this.warmings = warmings;
        this.purges = purges;
    }

    /**
     * Checks that there may be one more.
     *
     * @param count the present number
     * @throws ProblemException if there may not
     */
    public void requireRoom(What what, long count) {
        long most = switch (what) {
            case ACCOUNTS -> accounts;
            case KEYS -> keys;
            case KEPT_KEYS -> (long) KEPT_FOR_EACH * keys;
            case GRANTS -> grants;
            case GRANTS_TO_ONE -> MOST_TO_ONE;
            case WARMINGS -> warmings;
            case PURGES -> purges;
        };
        if (count >= most) {
            throw ProblemException.of(
                    ProblemKind.CONFLICT,
                    what.rule.formatted(most) + ": end some, or ask a platform admin for more room");
        }
    }
}
