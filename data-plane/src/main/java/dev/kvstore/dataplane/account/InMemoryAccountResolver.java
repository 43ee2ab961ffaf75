package dev.kvstore.dataplane.account;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Knows a fixed set of tenants; for a single machine. Keys are kept as hashes. Immutable, thread-safe. */
public final class InMemoryAccountResolver implements AccountResolver {
    /**
     * A customer, the keys that speak for it and the accounts it owns.
     *
     * @param name for people
     */
    public record Tenant(String name, List<ConfiguredKey> keys, List<Account> accounts) {
        public Tenant {
            keys = List.copyOf(keys);
            accounts = List.copyOf(accounts);
        }

        /** The environment variables that hold the credentials of the tenant's accounts. */
        public Set<String> credentialVariables() {
            return accounts.stream()
                    .map(account -> switch (account.storage()) {
                        case StorageLocation.Filesystem _ -> null;
                        case StorageLocation.Azure place -> place.credential();
                    })
                    .filter(CredentialReference.EnvironmentVariable.class::isInstance)
                    .map(credential -> ((CredentialReference.EnvironmentVariable) credential).variable())
                    .collect(Collectors.toUnmodifiableSet());
        }
    }

    /**
     * An API key as it may be stored.
     *
     * @param id the part between the underscores of {@code kv_<id>_<secret>}
     * @param sha256 of the whole key, 64 lower-case hexadecimal digits
     */
    public record ConfiguredKey(String id, String sha256) {}

    private record KeyOwner(Tenant tenant, ConfiguredKey key, Party party) {
        KeyOwner(Tenant tenant, ConfiguredKey key) {
            this(tenant, key, Party.tenant(tenant.name()));
        }
    }

    private final Map<String, KeyOwner> owners;
    private final Map<String, Account> accounts;

    /**
     * A resolver for these tenants.
     *
     * @throws IllegalArgumentException if two keys share an id, or two accounts a resource name
     */
    public InMemoryAccountResolver(List<Tenant> tenants) {
        Map<String, KeyOwner> byKeyId = new HashMap<>();
        Map<String, Account> byName = new HashMap<>();
        for (Tenant tenant : tenants) {
            for (ConfiguredKey key : tenant.keys()) {
                if (byKeyId.put(key.id(), new KeyOwner(tenant, key)) != null) {
                    throw new IllegalArgumentException("two keys have the id " + key.id());
                }
            }
            for (Account account : tenant.accounts()) {
                if (byName.put(account.resourceName(), account) != null) {
                    throw new IllegalArgumentException("two accounts have the resourceName " + account.resourceName());
                }
            }
        }
        this.owners = Map.copyOf(byKeyId);
        this.accounts = Map.copyOf(byName);
    }

    @Override
    public int count() {
        return accounts.size();
    }

    @Override
    public KeyStanding standing(Credential credential) {
        return owner(credential) == null ? KeyStanding.UNKNOWN : KeyStanding.GOOD;
    }

    @Override
    public Party party(Credential credential) {
        KeyOwner owner = owner(credential);
        return owner == null ? Party.key(credential) : owner.party();
    }

    @Override
    public Resolution resolve(Credential credential, String resourceName) {
        KeyOwner owner = owner(credential);
        if (owner == null) {
            return new Resolution.UnknownKey(false);
        }
        Account account = accounts.get(resourceName);
        return account != null && account.tenant().equals(owner.tenant().name())
                ? new Resolution.Granted(account, owner.key().id(), Rights.ALL)
                : new Resolution.NotGranted(false);
    }

    @Override
    public Resolution known(Credential credential, String resourceName) {
        return resolve(credential, resourceName);
    }

    private @Nullable KeyOwner owner(Credential credential) {
        KeyOwner owner = owners.get(credential.keyId());
        return owner != null && credential.isOf(owner.key().sha256()) ? owner : null;
    }
}
