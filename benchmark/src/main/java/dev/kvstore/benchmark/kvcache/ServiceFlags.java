package dev.kvstore.benchmark.kvcache;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.azure.storage.blob.BlobContainerClient;
import dev.kvstore.benchmark.kvcache.tier.BlobService;
import dev.kvstore.benchmark.kvcache.tier.Closings;
import dev.kvstore.benchmark.kvcache.tier.KvStoreTierService;
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

    @Option(names = "--target", paramLabel = "HOST:PORT", split = ",")
    List<String> endpoints = List.of();

    @Option(names = "--resource", paramLabel = "NAME")
    String resource = LocalStack.RESOURCE;

    @Option(
            names = "--key-file",
            paramLabel = "FILE",
            description = "Holds the API key for --target (default: the environment's " + ServiceAccess.KEY + ").")
    @Nullable
    Path keyFile;

    @Option(names = "--trust", paramLabel = "FILE")
    @Nullable
    Path trust;

    @Option(names = "--plaintext")
    boolean plaintext;

    @Option(names = "--kvstore-storage", paramLabel = "KIND")
    StorageKind storage = StorageKind.FILESYSTEM;

    @Option(names = "--blob-container", paramLabel = "NAME")
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
        String needs = ": needs the tier %s in --tiers";
        if (!endpoints.isEmpty()) {
            FlagCheck.refuseIf(!tiers.has(TierName.KVSTORE), "--target" + needs.formatted(TierName.KVSTORE));
            access(environment).requireUsable("--target");
        }
        if (container != null) {
            FlagCheck.refuseIf(!tiers.has(TierName.OBJECT), "--blob-container" + needs.formatted(TierName.OBJECT));
            connection(environment);
        }
        FlagCheck.refuseIf(
                container == null && connectionFile != null,
                "--blob-connection-file: needs --blob-container, the container there");
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
    KvStoreTierService kvStore(Path folder, Closings closings) throws IOException, InterruptedException {
        return endpoints.isEmpty()
                ? KvStoreTierService.start(folder, storage, closings)
                : KvStoreTierService.running(access(System.getenv()));
    }

    /** Starts Azurite, or reaches a container. */
    BlobContainerClient blobs(Path folder, Closings closings) throws IOException, InterruptedException {
        return container == null
                ? BlobService.start(folder, closings)
                : BlobService.existing(connection(System.getenv()), container);
    }
}
