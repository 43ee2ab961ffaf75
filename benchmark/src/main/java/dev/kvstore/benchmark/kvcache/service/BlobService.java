package dev.kvstore.benchmark.kvcache.service;

import com.azure.core.http.HttpClient;
import com.azure.core.http.jdk.httpclient.JdkHttpClientBuilder;
import com.azure.core.util.Configuration;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import dev.kvstore.benchmark.kvcache.tier.NoiseContent;
import dev.kvstore.benchmark.kvcache.tier.ObjectTier;
import dev.kvstore.benchmark.measure.BenchFolder;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.azurite.Azurite;
import java.io.IOException;
import java.net.http.HttpClient.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A blob endpoint below a tier: Azurite of this run, which goes with it, or one that is there already. For one thread.
 */
public final class BlobService implements AutoCloseable {
    private static final String PREFIX = "kv-cache-azurite-";
    private static final String OWN_CONTAINER = "kv-cache";

    private final BlobContainerClient container;
    private final String name;
    private final @Nullable Azurite azurite;
    private final @Nullable BenchFolder folder;

    private BlobService(
            BlobContainerClient container, String name, @Nullable Azurite azurite, @Nullable BenchFolder folder) {
        this.container = container;
        this.name = name;
        this.azurite = azurite;
        this.folder = folder;
    }

    /**
     * Azurite on this machine.
     *
     * @param place where its folder is made, which is deleted in the end
     */
    public static BlobService start(Path place) throws IOException, InterruptedException {
        BenchFolder folder = BenchFolder.ofThisProcess(Files.createDirectories(place), PREFIX);
        Azurite azurite;
        try {
            azurite = Azurite.inFolder(folder.path(), 0);
        } catch (IOException | InterruptedException e) {
            folder.close();
            throw e;
        }
        try {
            // A proxy of the environment is not for this machine.
            BlobContainerClient container = client(azurite.connectionString(), Configuration.NONE)
                    .createBlobContainerIfNotExists(OWN_CONTAINER);
            return new BlobService(container, "Azurite of this machine", azurite, folder);
        } catch (RuntimeException e) {
            azurite.close();
            folder.close();
            throw new IOException("Azurite does not answer: " + e.getMessage(), e);
        }
    }

    /**
     * A container that is there already.
     *
     * @param connectionString as Azure's tools take it
     * @throws LaunchException if it cannot be used
     */
    public static BlobService existing(String connectionString, String container) {
        try {
            BlobContainerClient client = client(connectionString, Configuration.getGlobalConfiguration())
                    .getBlobContainerClient(container);
            if (!client.exists()) {
                throw new LaunchException("--blob-container: there is no container " + container + "; create it");
            }
            return new BlobService(client, "container " + client.getBlobContainerUrl(), null, null);
        } catch (IllegalArgumentException e) {
            throw new LaunchException("--blob-connection-file: holds no connection string: " + e.getMessage(), e);
        } catch (LaunchException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new LaunchException(
                    "--blob-container: container " + container + " cannot be used: " + e.getMessage(), e);
        }
    }

    private static BlobServiceClient client(String connectionString, Configuration configuration) {
        // HTTP/1.1 is all the service speaks.
        HttpClient http = new JdkHttpClientBuilder(
                        java.net.http.HttpClient.newBuilder().version(Version.HTTP_1_1))
                .configuration(configuration)
                .build();
        return new BlobServiceClientBuilder()
                .connectionString(connectionString)
                .configuration(configuration)
                .httpClient(http)
                .buildClient();
    }

    /** For people. */
    public String name() {
        return name;
    }

    /**
     * A tier in it.
     *
     * @param run a name that no other run has
     */
    public ObjectTier tier(String run, NoiseContent content) {
        return new ObjectTier(container, "kv-cache/" + run + "/", content);
    }

    @Override
    public void close() throws IOException {
        if (azurite != null) {
            azurite.close();
        }
        if (folder != null) {
            folder.close();
        }
    }
}
