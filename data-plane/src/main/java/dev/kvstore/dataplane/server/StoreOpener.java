package dev.kvstore.dataplane.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.account.CredentialReference;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.account.StoreCache;
import dev.kvstore.dataplane.storage.AddedLatency;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.DelayedStore;
import dev.kvstore.dataplane.storage.MeteredStore;
import dev.kvstore.dataplane.storage.ReopeningStore;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StoreCondition;
import dev.kvstore.dataplane.storage.azure.AzureContainer;
import dev.kvstore.dataplane.storage.azure.AzureStores;
import dev.kvstore.dataplane.storage.azure.KeyVault;
import dev.kvstore.dataplane.storage.azure.Outbound;
import dev.kvstore.dataplane.storage.azure.StorageCredential;
import dev.kvstore.dataplane.storage.filesystem.FilesystemStore;
import dev.kvstore.settings.SecretText;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Opens the store that a location stands for, its calls counted. Thread-safe. */
final class StoreOpener implements StoreCache.Opener {
    // Loading Azure's classes takes a tenth of a start, and stores in folders do not need them.
    private final Lazy<AzureStores> azure;
    private final Lazy<KeyVault> vaults;
    private final AddedLatency latency;
    private final StoreConditions conditions;
    private final MeterRegistry meters;
    private final Map<String, String> environment;
    private final Set<Path> secrets;

    /** The stores in folders, by directory: as many as storage locations, and none has an open file. */
    private final Map<Path, FilesystemStore> folders = new ConcurrentHashMap<>();

    /**
     * An opener that has opened no store yet.
     *
     * @param latency of every store's calls, in trials
     * @param secrets files of this process itself, which no account may name as its credential
     */
    StoreOpener(
            Outbound outbound,
            AddedLatency latency,
            StoreConditions conditions,
            MeterRegistry meters,
            Map<String, String> environment,
            Set<Path> secrets) {
        this.azure = new Lazy<>(() -> new AzureStores(outbound, meters));
        this.vaults = new Lazy<>(() -> azure.get().keyVault());
        this.latency = latency;
        this.conditions = conditions;
        this.meters = meters;
        this.environment = environment;
        this.secrets = Set.copyOf(secrets);
    }

    @Override
    public BlockStore open(StorageLocation location) throws StorageException {
        StoreCondition condition = conditions.of(location);
        try {
            return new MeteredStore(delayed(opened(location)), condition, meters);
        } catch (StorageException e) {
            condition.failed(e.kind());
            throw e;
        }
    }

    private BlockStore delayed(BlockStore store) {
        return latency.isNone() ? store : new DelayedStore(store, latency);
    }

    private BlockStore opened(StorageLocation location) throws StorageException {
        return switch (location) {
            case StorageLocation.Filesystem place -> folder(place.directory());
            case StorageLocation.Azure place -> azure(place);
        };
    }

    /** A store is opened once: it knows its folder again, and a mount that is gone must not be made anew below it. */
    private BlockStore folder(Path directory) throws StorageException {
        FilesystemStore known = folders.get(directory);
        if (known == null) {
            known = FilesystemStore.open(directory, InstantSource.system());
            folders.put(directory, known);
        }
        return known;
    }

    /** Credentials in a file or a vault are replaced now and then; credentials in the environment stay the same. */
    private BlockStore azure(StorageLocation.Azure place) throws StorageException {
        return switch (place.credential()) {
            case CredentialReference.ManagedIdentity _, CredentialReference.EnvironmentVariable _ ->
                azure.get().open(container(place));
            case CredentialReference.File _, CredentialReference.VaultSecret _ ->
                new ReopeningStore(() -> azure.get().open(container(place)), Ticker.systemTicker());
        };
    }

    /** Closes the connections of all stores. */
    @Override
    public void close() {
        azure.ifMade(AzureStores::close);
    }

    private AzureContainer container(StorageLocation.Azure place) throws StorageException {
        return new AzureContainer(
                place.endpoint(), place.container(), credential(place.credential()), place.createContainer());
    }

    private StorageCredential credential(CredentialReference reference) throws StorageException {
        return switch (reference) {
            case CredentialReference.ManagedIdentity _ -> new StorageCredential.ManagedIdentity(null);
            case CredentialReference.EnvironmentVariable(String variable) -> {
                String value = environment.get(variable);
                if (value == null) {
                    throw unusable("the environment variable " + variable + " is not set");
                }
                yield secret(value);
            }
            case CredentialReference.VaultSecret(URI secret, String resourceName) ->
                secret(vaults.get().read(secret, resourceName));
            case CredentialReference.File(Path path) -> secret(content(path));
        };
    }

    private String content(Path path) throws StorageException {
        boolean own;
        String content;
        try {
            own = isOwn(path);
            content = own ? "" : Files.readString(path, UTF_8);
        } catch (IOException e) {
            throw unusable("the credential file " + path + " cannot be read");
        }
        if (own) {
            throw unusable("the credential file " + path + " must not be one of this data plane's own");
        }
        return content;
    }

    /** Whether a path is a file of this process' own, by any of its names. */
    private boolean isOwn(Path path) throws IOException {
        for (Path own : secrets) {
            if (Files.exists(own) && Files.isSameFile(own, path)) {
                return true;
            }
        }
        return false;
    }

    /**
     * A connection string names its parts; any other text is taken for a SAS token.
     */
    private static StorageCredential secret(String text) {
        String value = SecretText.of(text);
        return value.contains("AccountName=") || value.contains("SharedAccessSignature=")
                ? new StorageCredential.ConnectionString(value)
                : new StorageCredential.SharedAccessSignature(value);
    }

    private static StorageException unusable(String why) {
        return new StorageException(StorageException.Kind.FORBIDDEN, why, null);
    }
}
