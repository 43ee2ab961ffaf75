package dev.kvstore.benchmark.kvcache;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.kvstore.benchmark.kvcache.service.BlobService;
import dev.kvstore.benchmark.kvcache.service.KvStoreTierService;
import dev.kvstore.benchmark.measure.ServiceAccess;
import dev.kvstore.launcher.IoReason;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StorageKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags of the services that the tiers kvstore and object use. */
final class ServiceFlags {
    static final String CONNECTION = "AZURE_STORAGE_CONNECTION_STRING";

    @Option(
            names = "--target",
            paramLabel = "HOST:PORT",
            split = ",",
            description =
                    "Data planes of a running KV Store for the tier kvstore; what is written stays there. Default: a data"
                            + " plane of this run's own.")
    List<String> endpoints = List.of();

    @Option(
            names = "--resource",
            paramLabel = "NAME",
            defaultValue = LocalStack.RESOURCE,
            description = "The storage account at --target. Default: ${DEFAULT-VALUE}.")
    String resource = LocalStack.RESOURCE;

    @Option(
            names = "--key-file",
            paramLabel = "FILE",
            description = "Holds the API key for --target (default: the environment's " + ServiceAccess.KEY + ").")
    @Nullable
    Path keyFile;

    @Option(names = "--trust", paramLabel = "FILE", description = "Authorities (PEM) to trust at --target.")
    @Nullable
    Path trust;

    @Option(names = "--plaintext", description = "No TLS at --target, wherever it is.")
    boolean plaintext;

    @Option(
            names = "--kvstore-storage",
            paramLabel = "KIND",
            defaultValue = "filesystem",
            description = "What this run's own data plane stores in: filesystem or azurite. Default: ${DEFAULT-VALUE}.")
    StorageKind storage = StorageKind.FILESYSTEM;

    @Option(
            names = "--blob-container",
            paramLabel = "NAME",
            description =
                    "The container of the tier object; this run's blobs are deleted in the end. Default: Azurite of this"
                            + " run's own.")
    @Nullable
    String container;

    @Option(
            names = "--blob-connection-file",
            paramLabel = "FILE",
            description =
                    "Holds the connection string for --blob-container (default: the environment's " + CONNECTION + ").")
    @Nullable
    Path connectionFile;

    /** @throws IllegalArgumentException for a flag that cannot be, which it names */
    void check(TierFlags tiers, Map<String, String> environment) {
        if (!endpoints.isEmpty()) {
            requireTier("--target", tiers, TierName.KVSTORE);
            access(environment).requireUsable("--target");
        }
        if (container != null) {
            requireTier("--blob-container", tiers, TierName.OBJECT);
            connection(environment);
        } else if (connectionFile != null) {
            throw new IllegalArgumentException("--blob-connection-file: needs --blob-container, the container there");
        }
    }

    private static void requireTier(String flag, TierFlags tiers, TierName tier) {
        if (!tiers.has(tier)) {
            throw new IllegalArgumentException(flag + ": needs the tier " + tier + " in --tiers");
        }
    }

    private ServiceAccess access(Map<String, String> environment) {
        return new ServiceAccess(
                endpoints,
                resource,
                ServiceAccess.key("--key-file", keyFile, environment),
                trust == null ? null : trust.toAbsolutePath().toString(),
                false,
                plaintext);
    }

    private String connection(Map<String, String> environment) {
        try {
            String text =
                    connectionFile == null ? environment.get(CONNECTION) : Files.readString(connectionFile, UTF_8);
            if (text == null || text.isBlank()) {
                throw new IllegalArgumentException(
                        "--blob-connection-file: is missing; name the file with the connection string, or set "
                                + CONNECTION);
            }
            return text.strip();
        } catch (IOException e) {
            throw new IllegalArgumentException("--blob-connection-file: " + IoReason.withFile(e), e);
        }
    }

    /** Starts KV Store, or reaches one. */
    KvStoreTierService kvStore(Path folder, Map<String, String> environment) throws IOException, InterruptedException {
        return endpoints.isEmpty()
                ? KvStoreTierService.start(folder, storage)
                : KvStoreTierService.running(access(environment));
    }

    /** Starts Azurite, or reaches a container. */
    BlobService blobs(Path folder, Map<String, String> environment) throws IOException, InterruptedException {
        return container == null ? BlobService.start(folder) : BlobService.existing(connection(environment), container);
    }
}
