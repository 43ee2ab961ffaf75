package dev.kvstore.dataplane.account;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Reads the tenants of a single machine from a JSON file:
 *
 * <pre>
 * {"tenants": [{
 *   "name": "local",
 *   "keys": [{"id": "0a1b2c3d", "sha256": "hex of the SHA-256 of the whole key kv_0a1b2c3d_..."}],
 *   "accounts": [
 *     {"resourceName": "demo", "storage": {"type": "filesystem", "path": "/var/lib/kvstore"}},
 *     {"resourceName": "prod",
 *      "storage": {"type": "azure", "container": "blocks", "credential": "managed-identity"}}]}]}
 * </pre>
 *
 * An {@code azure} storage without {@code endpoint} is at {@code https://<resourceName><blob DNS suffix>}.
 */
public final class AccountsFile {
    private static final String STORAGE = "accounts[].storage.";

    private final Path file;
    private final String blobDnsSuffix;

    private AccountsFile(Path file, String blobDnsSuffix) {
        this.file = file;
        this.blobDnsSuffix = blobDnsSuffix;
    }

    /**
     * Reads a file.
     *
     * @throws IllegalArgumentException naming file and field, if it cannot be read or is not as described
     */
    public static List<InMemoryAccountResolver.Tenant> read(Path file, String blobDnsSuffix) {
        return new AccountsFile(file, blobDnsSuffix).tenants();
    }

    private List<InMemoryAccountResolver.Tenant> tenants() {
        List<InMemoryAccountResolver.Tenant> tenants = new ArrayList<>();
        for (JsonNode tenant : array(root(), "tenants", "")) {
            String name = text(tenant, "name", "tenants[].");
            List<InMemoryAccountResolver.ConfiguredKey> keys = new ArrayList<>();
            for (JsonNode key : array(tenant, "keys", "tenants[].")) {
                keys.add(key(key));
            }
            List<Account> accounts = new ArrayList<>();
            for (JsonNode account : array(tenant, "accounts", "tenants[].")) {
                accounts.add(account(account, name));
            }
            tenants.add(new InMemoryAccountResolver.Tenant(name, keys, accounts));
        }
        if (tenants.isEmpty()) {
            throw flaw("tenants", "must hold at least one");
        }
        return tenants;
    }

    private JsonNode root() {
        try {
            return new ObjectMapper().readTree(Files.readAllBytes(file));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(file + ": not JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new IllegalArgumentException(file + ": cannot be read: " + e.getMessage());
        }
    }

    private InMemoryAccountResolver.ConfiguredKey key(JsonNode key) {
        String sha256 = text(key, "sha256", "keys[].");
        if (!sha256.matches("[0-9a-fA-F]{64}")) {
            throw flaw("keys[].sha256", "must be 64 hexadecimal digits");
        }
        String id = text(key, "id", "keys[].");
        if (!id.matches("[A-Za-z0-9-]{1,64}")) {
            throw flaw("keys[].id", "must be 1 to 64 letters, digits and '-'");
        }
        return new InMemoryAccountResolver.ConfiguredKey(id, sha256.toLowerCase(Locale.ROOT));
    }

    private Account account(JsonNode account, String tenant) {
        String name = text(account, "resourceName", "accounts[].");
        String nameFlaw = ResourceName.flaw(name);
        if (nameFlaw != null) {
            throw flaw("accounts[].resourceName", nameFlaw);
        }
        JsonNode storage = account.path("storage");
        String type = text(storage, "type", STORAGE);
        return new Account(
                name,
                tenant,
                switch (type) {
                    case "filesystem" -> new StorageLocation.Filesystem(directory(storage));
                    case "azure" -> azure(storage, name);
                    default -> throw flaw(STORAGE + "type", "must be filesystem or azure, not " + type);
                });
    }

    private Path directory(JsonNode storage) {
        String path = text(storage, "path", STORAGE);
        try {
            Path directory = Path.of(path);
            if (directory.isAbsolute()) {
                return directory;
            }
        } catch (InvalidPathException e) {
            throw flaw(STORAGE + "path", "is no path: " + e.getReason());
        }
        throw flaw(STORAGE + "path", "must be absolute, not " + path);
    }

    private StorageLocation azure(JsonNode storage, String resourceName) {
        String container = text(storage, "container", STORAGE);
        String containerFlaw = ContainerName.flaw(container);
        if (containerFlaw != null) {
            throw flaw(STORAGE + "container", containerFlaw);
        }
        return new StorageLocation.Azure(
                endpoint(storage, resourceName),
                container,
                credential(storage, resourceName),
                storage.path("createContainer").asBoolean(false));
    }

    private URI endpoint(JsonNode storage, String resourceName) {
        String derived = "https://" + resourceName + blobDnsSuffix;
        boolean given = storage.has("endpoint");
        URI endpoint = StorageEndpoint.parse(given ? storage.path("endpoint").asText() : derived);
        if (endpoint != null) {
            return endpoint;
        }
        throw given
                ? flaw(
                        STORAGE + "endpoint",
                        "must be http:// or https://, a host (in whose name is no _), and at most a port and a path")
                : flaw(STORAGE + "endpoint", "is missing, and " + derived + " is no address");
    }

    private CredentialReference credential(JsonNode storage, String resourceName) {
        String reference = text(storage, "credential", STORAGE);
        try {
            return CredentialReference.parse(reference, resourceName);
        } catch (IllegalArgumentException e) {
            throw flaw(STORAGE + "credential", String.valueOf(e.getMessage()));
        }
    }

    private JsonNode array(JsonNode parent, String field, String where) {
        JsonNode value = parent.path(field);
        if (!value.isArray()) {
            throw flaw(where + field, "must be a list");
        }
        return value;
    }

    private String text(JsonNode parent, String field, String where) {
        String value = parent.path(field).asText("");
        if (value.isEmpty()) {
            throw flaw(where + field, "is missing");
        }
        return value;
    }

    private IllegalArgumentException flaw(String field, String flaw) {
        return new IllegalArgumentException(file + ": " + field + ": " + flaw);
    }
}
