package dev.kvstore.launcher.azurite;

import dev.kvstore.launcher.node.NodeProgram;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The blob service of Azurite, as a child process on a free port of 127.0.0.1. The process ends when this object is
 * closed, and when this process ends for any reason. It needs Node.js; the first start installs the package.
 * Thread-safe.
 */
public final class Azurite implements AutoCloseable {
    /** The account that every Azurite has; its key is public. */
    public static final String ACCOUNT = "devstoreaccount1";

    /** Azurite's documented key. */
    public static final String ACCOUNT_KEY =
            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

    // It listens within 2 s; the rest is for a busy machine.
    private static final Duration START_PATIENCE = Duration.ofSeconds(60);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(5);

    private final Process process;
    private final URI endpoint;

    private Azurite(Process process, URI endpoint) {
        this.process = process;
        this.endpoint = endpoint;
    }

    /** Starts an Azurite that keeps its blobs in memory. */
    public static Azurite inMemory() throws IOException, InterruptedException {
        return start(null, 0, List.of());
    }

    /**
     * Starts an Azurite that keeps its blobs in memory, speaks TLS, and takes tokens of managed identities without
     * checking their signatures.
     *
     * @param chain the certificate, PEM
     * @param key the private key, PKCS#8 in PEM
     */
    public static Azurite overTls(Path chain, Path key) throws IOException, InterruptedException {
        return start(null, 0, List.of("--cert", chain.toString(), "--key", key.toString(), "--oauth", "basic"));
    }

    /**
     * Starts an Azurite that keeps its blobs in a folder.
     *
     * @param folder created if missing
     * @param port 1 to 65535, or 0 for any that is free
     */
    public static Azurite inFolder(Path folder, int port) throws IOException, InterruptedException {
        return start(Files.createDirectories(folder), port, List.of());
    }

    private static Azurite start(@Nullable Path folder, int port, List<String> flags)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(AzuriteInstallation.ofCheckout().command());
        command.addAll(List.of("--blobHost", "127.0.0.1", "--blobPort", Integer.toString(port)));
        command.addAll(folder == null ? List.of("--inMemoryPersistence") : List.of("--location", folder.toString()));
        // Without --loose, unknown headers are reported. The SDK's newest API version is ahead of Azurite's.
        command.addAll(List.of("--silent", "--skipApiVersionCheck", "--disableProductStyleUrl", "--disableTelemetry"));
        command.addAll(flags);
        Process process = NodeProgram.start(new ProcessBuilder(command).redirectErrorStream(true));
        boolean started = false;
        try {
            Azurite azurite = new Azurite(process, awaitEndpoint(process));
            started = true;
            return azurite;
        } finally {
            if (!started) {
                stop(process);
            }
        }
    }

    private static URI awaitEndpoint(Process process) throws IOException, InterruptedException {
        AzuriteLog log = new AzuriteLog();
        CompletableFuture<URI> listening = log.follow(process.inputReader());
        try {
            URI address = listening.get(START_PATIENCE.toSeconds(), TimeUnit.SECONDS);
            return URI.create(address + "/" + ACCOUNT);
        } catch (TimeoutException e) {
            throw new IOException("Azurite did not listen within " + START_PATIENCE + "; it said:\n" + log.tail(), e);
        } catch (ExecutionException e) {
            throw new IOException("Azurite ended before it listened; it said:\n" + log.tail(), e);
        }
    }

    /** The URL of the account, such as {@code http://127.0.0.1:10000/devstoreaccount1}. */
    public URI endpoint() {
        return endpoint;
    }

    /** The connection string for Azure's tools. */
    public String connectionString() {
        return "DefaultEndpointsProtocol=http;AccountName=" + ACCOUNT + ";AccountKey=" + ACCOUNT_KEY + ";BlobEndpoint="
                + endpoint + ";";
    }

    /** The process, to be watched. */
    public ProcessHandle process() {
        return process.toHandle();
    }

    /** Stops the process, and returns when it has ended. */
    @Override
    public void close() {
        stop(process);
    }

    private static void stop(Process process) {
        List<ProcessHandle> descendants = process.descendants().toList();
        process.destroy();
        try {
            if (!process.waitFor(STOP_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        descendants.forEach(ProcessHandle::destroyForcibly);
    }
}
