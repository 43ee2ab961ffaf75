package dev.kvstore.accounts.resolve;

import dev.kvstore.accounts.account.Account;
import dev.kvstore.accounts.account.AccountRepository;
import dev.kvstore.accounts.account.AccountState;
import dev.kvstore.accounts.account.Replica;
import dev.kvstore.accounts.grant.Access;
import dev.kvstore.accounts.grant.Grant;
import dev.kvstore.accounts.grant.GrantRepository;
import dev.kvstore.accounts.key.ApiKey;
import dev.kvstore.accounts.key.KeyRepository;
import dev.kvstore.accounts.tenant.Tenant;
import dev.kvstore.accounts.tenant.TenantRepository;
import dev.kvstore.accounts.tenant.TenantState;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Answers from the registry who may do what. Thread-safe. */
@ApplicationScoped
public class DatabaseAccountResolver {
    private final KeyRepository keys;
    private final TenantRepository tenants;
    private final AccountRepository accounts;
    private final GrantRepository grants;
    private final Clock clock;

    DatabaseAccountResolver(
            KeyRepository keys,
            TenantRepository tenants,
            AccountRepository accounts,
            GrantRepository grants,
            Clock clock) {
        this.keys = keys;
        this.tenants = tenants;
        this.accounts = accounts;
        this.grants = grants;
        this.clock = clock;
    }

    /**
     * What a key may do with a resource.
     *
     * @param sha256 of the whole key
     * @param resourceName of any content; empty to ask about the key alone
     * @param region of whoever asks: the place there is answered, else the one at home
     */
    @Transactional
    public Resolved resolve(String keyId, byte[] sha256, String resourceName, String region) {
        ApiKey key = keys.findById(keyId);
        // Held against something always, so that the time does not tell which ids there are.
        boolean matches = key != null ? key.matches(sha256) : java.security.MessageDigest.isEqual(new byte[32], sha256);
        Instant now = clock.instant();
        if (key == null || !matches || !key.isGood(now) || !isActive(key.tenant())) {
            return new Resolved.UnknownKey();
        }
        Account account = resourceName.isEmpty() ? null : accounts.withReplicas(resourceName);
        if (account == null || account.state() != AccountState.ACTIVE || !isActive(account.tenant())) {
            return new Resolved.NotGranted(key.tenant(), key.expiresAt());
        }
        Replica replica = account.replica(region);
        List<Resolved.Right> rights = rights(key, account, now);
        if (replica == null || rights.isEmpty()) {
            return new Resolved.NotGranted(key.tenant(), key.expiresAt());
        }
        return new Resolved.Granted(
                resourceName,
                account.tenant(),
                new Resolved.Storage(
                        replica.endpoint(), replica.container(), replica.credential(), replica.createContainer()),
                account.limits(),
                rights);
    }

    private boolean isActive(String tenant) {
        Tenant found = tenants.findById(tenant);
        return found != null && found.state() == TenantState.ACTIVE;
    }

    private List<Resolved.Right> rights(ApiKey key, Account account, Instant now) {
        if (account.tenant().equals(key.tenant())) {
            return Stream.of(Access.values())
                    .map(access -> new Resolved.Right(access, null, key.expiresAt()))
                    .toList();
        }
        List<Resolved.Right> rights = new ArrayList<>();
        for (Grant grant : grants.of(account.resourceName(), key.tenant(), key.lineage())) {
            if (grant.expiresAt() == null || now.isBefore(grant.expiresAt())) {
                Instant end = earlier(key.expiresAt(), grant.expiresAt());
                if (grant.reads()) {
                    rights.add(new Resolved.Right(Access.READ, grant.partition(), end));
                }
                if (grant.writes()) {
                    rights.add(new Resolved.Right(Access.WRITE, grant.partition(), end));
                }
            }
        }
        return rights;
    }

    private static @Nullable Instant earlier(@Nullable Instant a, @Nullable Instant b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        return a.isBefore(b) ? a : b;
    }
}
