package dev.kvstore.benchmark.kvcache.tier;

import com.azure.core.http.jdk.httpclient.JdkHttpClientBuilder;
import com.azure.core.util.Configuration;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import dev.kvstore.benchmark.measure.BenchFolder;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.azurite.Azurite;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;

/** A blob endpoint below a tier: Azurite of this run, which goes with it, or one that is there already. Stateless. */
public final class BlobService {
    private BlobService() {}

    /**
     * A container of Azurite on this machine.
     *
     * @param place where its folder is made, which is deleted in the end
     * @param closings take Azurite and its folder
     */
    public static BlobContainerClient start(Path place, Closings closings) throws IOException, InterruptedException {
        BenchFolder folder = BenchFolder.ofThisProcess(Files.createDirectories(place), "kv-cache-azurite-");
        closings.add(folder::close);
        Azurite azurite = Azurite.inFolder(folder.path(), 0);
        closings.add(azurite::close);
        try {
            // A proxy of the environment is not for this machine.
            return client(azurite.connectionString(), Configuration.NONE).createBlobContainerIfNotExists("kv-cache");
        } catch (RuntimeException e) {
            throw new IOException("Azurite does not answer: " + e.getMessage(), e);
        }
    }

    /**
     * A container that is there already.
     *
     * @param connectionString as Azure's tools take it
     * @throws LaunchException if it cannot be used
     */
    public static BlobContainerClient existing(String connectionString, String container) {
        boolean exists;
        BlobContainerClient client;
        try {
            client = client(connectionString, Configuration.getGlobalConfiguration())
                    .getBlobContainerClient(container);
            exists = client.exists();
        } catch (IllegalArgumentException e) {
            throw new LaunchException("--blob-connection-file: holds no connection string: " + e.getMessage(), e);
        } catch (RuntimeException e) {
            throw new LaunchException(
                    "--blob-container: container " + container + " cannot be used: " + e.getMessage(), e);
        }
        if (!exists) {
            throw new LaunchException("--blob-container: there is no container " + container + "; create it");
        }
        return client;
    }

    private static BlobServiceClient client(String connectionString, Configuration configuration) {
        // HTTP/1.1 is all the service speaks.
        HttpClient.Builder http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
        return new BlobServiceClientBuilder()
                .connectionString(connectionString)
                .configuration(configuration)
                .httpClient(new JdkHttpClientBuilder(http)
                        .configuration(configuration)
                        .build())
                .buildClient();
    }
}
