package dev.kvstore.benchmark.peers;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.benchmark.peers.load.KvStoreLoad;
import dev.kvstore.launcher.Program;
import dev.kvstore.launcher.process.ManagedProcess;
import dev.kvstore.launcher.process.Ports;
import dev.kvstore.launcher.process.Readiness;
import dev.kvstore.launcher.stack.ApiKey;
import dev.kvstore.launcher.stack.Metrics;
import dev.kvstore.launcher.stack.StackAccounts;
import dev.kvstore.launcher.stack.StackDataPlane;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A data plane of its own, plaintext or TLS, over a folder: a local stack speaks no TLS.
 *
 * @param storage where its blocks are durable
 * @param http the address of its health and its metrics
 * @param trust PEM file of the authority of its certificate; null without TLS
 */
record PeerDataPlane(
        ManagedProcess process,
        int port,
        ApiKey key,
        Path storage,
        URI http,
        @Nullable Path trust) {
    private static final List<String> JVM = List.of("-Xmx512m");

    /** Room for 20 unary messages of 16 MiB each way; the working set is a quarter of {@code dram} at most. */
    private static final Map<String, String> SETTINGS = Map.of(
            "KVSTORE_MEMORY_TIER_SIZE", "1G",
            "KVSTORE_TRANSFER_MEMORY", "1G",
            "KVSTORE_INBOUND_MEMORY", "768M",
            "KVSTORE_UNREAD_RESPONSE_MEMORY", "512M",
            "KVSTORE_DISK_TIER_SIZE", "0");

    /** Variables of the environment that are for other programs. */
    private static final List<String> NOT_ITS = List.of(
            "KVSTORE_TLS_CERT",
            "KVSTORE_TLS_KEY",
            "KVSTORE_TLS_CLIENT_CA",
            "KVSTORE_CONTROL_PLANE_CA",
            "KVSTORE_JOIN_TOKEN",
            "KVSTORE_ADMIN_TOKEN",
            "KVSTORE_URL");

    /**
     * Starts it.
     *
     * @param certificate null for plaintext
     */
    static PeerDataPlane start(PeerSetup setup, @Nullable Certificate certificate)
            throws IOException, InterruptedException {
        String name = certificate == null ? "data-plane" : "data-plane-tls";
        Path storage = Files.createDirectories(setup.storage().resolve(name)).toAbsolutePath();
        ApiKey key = ApiKey.generate(setup.random());
        int port = Ports.free(setup.random(), 1, 0, StackDataPlane.HTTP_OFFSET);
        Path accounts = Files.writeString(
                setup.folder().resolve(name + "-accounts.json"),
                new ObjectMapper().writeValueAsString(accounts(key, storage)));
        Stream<String> flags =
                Programs.command("--host 127.0.0.1 --port %s --accounts %s --end-with-parent", port, accounts).stream();
        Stream<String> tls = certificate == null
                ? Stream.of()
                : Programs.command("--tls-cert %s --tls-key %s", certificate.chain(), certificate.key()).stream();
        List<String> program = Program.DATA_PLANE.command(Program.DATA_PLANE.jar(setup.home()), JVM);
        List<String> command =
                Stream.of(program.stream(), flags, tls).flatMap(words -> words).toList();
        Map<String, String> environment = new HashMap<>(SETTINGS);
        NOT_ITS.forEach(variable -> environment.put(variable, ""));
        URI http = URI.create((certificate == null ? "http" : "https") + "://127.0.0.1:"
                + (port + StackDataPlane.HTTP_OFFSET) + "/q/");
        Readiness ready = Readiness.http(http.resolve("health/ready"));
        return new PeerDataPlane(
                setup.processes().server(name, command, environment, ready),
                port,
                key,
                storage,
                http,
                certificate == null ? null : certificate.chain());
    }

    private static StackAccounts accounts(ApiKey key, Path storage) {
        return new StackAccounts(List.of(new StackAccounts.Tenant(
                "peers",
                List.of(new StackAccounts.Key(key.id(), key.sha256())),
                List.of(new StackAccounts.Account(
                        KvStoreLoad.RESOURCE, new StackAccounts.Filesystem(storage.toString()))))));
    }

    /** The data plane's metrics now. */
    Metrics metrics() {
        return Metrics.scrape(http.resolve("metrics"));
    }
}
