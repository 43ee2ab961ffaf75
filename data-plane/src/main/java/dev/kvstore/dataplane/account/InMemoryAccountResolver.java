package dev.kvstore.dataplane.account;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
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
    public record Tenant(String name, List<Key> keys, List<Account> accounts) {
        public Tenant {
            keys = List.copyOf(keys);
            accounts = List.copyOf(accounts);
        }

        /** Environment variables that its accounts' credentials are in. */
        public Set<String> credentialVariables() {
            return accounts.stream()
                    .map(Account::storage)
                    .filter(StorageLocation.Azure.class::isInstance)
                    .map(storage -> ((StorageLocation.Azure) storage).credential())
                    .filter(CredentialReference.Environment.class::isInstance)
                    .map(credential -> ((CredentialReference.Environment) credential).variable())
                    .collect(Collectors.toUnmodifiableSet());
        }
    }

    /**
     * An API key as it may be stored.
     *
     * @param id the part between the underscores of {@code kv_<id>_<secret>}
     * @param sha256 of the whole key, 64 lower-case hexadecimal digits
     */
    public record Key(String id, String sha256) {}

    private record Owner(Tenant tenant, Key key) {}

    private final Map<String, Owner> owners;
    private final Map<String, Account> accounts;

    /**
     * A resolver for these tenants.
     *
     * @throws IllegalArgumentException if two keys share an id, or two accounts a resource name
     */
    public InMemoryAccountResolver(List<Tenant> tenants) {
        Map<String, Owner> byKeyId = new HashMap<>();
        Map<String, Account> byName = new HashMap<>();
        for (Tenant tenant : tenants) {
            for (Key key : tenant.keys()) {
                if (byKeyId.put(key.id(), new Owner(tenant, key)) != null) {
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
    public boolean knows(String apiKey) {
        return owner(apiKey) != null;
    }

    @Override
    public Resolution resolve(String apiKey, String resourceName) {
        Owner owner = owner(apiKey);
        if (owner == null) {
            return new Resolution.UnknownKey();
        }
        Account account = accounts.get(resourceName);
        return account != null && account.tenant().equals(owner.tenant().name())
                ? new Resolution.Granted(account, owner.key().id())
                : new Resolution.NotGranted();
    }

    private @Nullable Owner owner(String apiKey) {
        String[] parts = apiKey.split("_", 3);
        if (parts.length != 3 || !parts[0].equals("kv")) {
            return null;
        }
        Owner owner = owners.get(parts[1]);
        return owner != null
                        && MessageDigest.isEqual(
                                owner.key().sha256().getBytes(UTF_8),
                                sha256(apiKey).getBytes(UTF_8))
                ? owner
                : null;
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
