package dev.kvstore.launcher.stack;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.List;

/**
 * The accounts file of a data plane without a control plane ({@code --accounts}): the keys, and the storage that each
 * key may use.
 *
 * @param tenants at least one
 */
public record StackAccounts(List<Tenant> tenants) {
    /** One tenant with its keys and storage accounts. */
    public record Tenant(String name, List<Key> keys, List<Account> accounts) {}

    /**
     * The id and the hash of an API key, as a data plane knows it.
     *
     * @param sha256 of the key's whole text, in hexadecimal
     */
    public record Key(String id, String sha256) {
        static Key of(ApiKey key) {
            return new Key(key.id(), key.sha256());
        }
    }

    /** A storage account under its name for clients. */
    public record Account(String resourceName, Storage storage) {}

    /** The storage of an account. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Filesystem.class, name = "filesystem"),
        @JsonSubTypes.Type(value = Azure.class, name = "azure")
    })
    public sealed interface Storage {}

    /**
     * A storage in a folder.
     *
     * @param path the absolute path
     */
    public record Filesystem(String path) implements Storage {
        static Filesystem of(Path folder) {
            return new Filesystem(folder.toAbsolutePath().toString());
        }
    }

    /**
     * A storage in a blob container.
     *
     * @param credential a reference, {@code env:NAME} or {@code file:/path}: never the secret itself
     */
    public record Azure(String endpoint, String container, String credential, boolean createContainer)
            implements Storage {}

    /** The accounts of one tenant with one key and one account. */
    static StackAccounts of(String tenant, ApiKey key, String resourceName, Storage storage) {
        return new StackAccounts(
                List.of(new Tenant(tenant, List.of(Key.of(key)), List.of(new Account(resourceName, storage)))));
    }

    String toJson() {
        try {
            return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("records of text are JSON", e);
        }
    }
}
