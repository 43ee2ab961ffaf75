package dev.kvstore.benchmark.peers;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.benchmark.peers.load.KvStoreLoad;
import dev.kvstore.benchmark.peers.load.LoadTarget;
import dev.kvstore.launcher.Program;
import dev.kvstore.launcher.process.Ports;
import dev.kvstore.launcher.process.Readiness;
import dev.kvstore.launcher.stack.ApiKey;
import dev.kvstore.launcher.stack.StackAccounts;
import dev.kvstore.launcher.stack.StackDataPlane;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A data plane of its own, plaintext or TLS, over a folder: a local stack speaks no TLS. Immutable. */
final class PeerDataPlane {
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

    private final PeerSetup place;
    private final String name;
    private final @Nullable Certificate certificate;
    private final Path storage;
    private final ApiKey key;
    private final int port;
    private final PeerServer server;

    /**
     * Starts it.
     *
     * @param certificate null for plaintext
     * @param running closes it
     */
    PeerDataPlane(PeerSetup place, String name, @Nullable Certificate certificate, StartedParts running)
            throws IOException, InterruptedException {
        this.place = place;
        this.name = name;
        this.certificate = certificate;
        this.storage = Files.createDirectories(place.storage().resolve(name));
        this.key = ApiKey.generate(place.random());
        this.port = Ports.free(place.random(), 1, 0, StackDataPlane.HTTP_OFFSET);
        Map<String, String> environment = new HashMap<>(SETTINGS);
        NOT_ITS.forEach(variable -> environment.put(variable, ""));
        this.server = running.add(PeerServer.start(
                name,
                command(),
                environment,
                port,
                Readiness.http(http("/q/health/ready")),
                place.log(name),
                place.slowed()));
    }

    /** Starts a process that asks it, with one of the SDK's stacks. */
    RunningPeer peer(LoadTarget.Protocol stack, StartedParts running) throws IOException, InterruptedException {
        LoadTarget target = new LoadTarget(
                stack,
                server.reached(port),
                server.pid(),
                key.text(),
                certificate == null ? null : certificate.chain(),
                place.set().blockBytes(),
                place.set().damage());
        String client = name + "-" + stack.name().toLowerCase(Locale.ROOT);
        LoadProcess load = running.add(LoadProcess.start(client, target, place.log(client)));
        return new KvStorePeer(load, http("/q/metrics"), place, storage);
    }

    private URI http(String path) {
        return URI.create((certificate == null ? "http" : "https") + "://127.0.0.1:"
                + (port + StackDataPlane.HTTP_OFFSET) + path);
    }

    private List<String> command() throws IOException {
        List<String> command = new ArrayList<>(Program.DATA_PLANE.command(Program.DATA_PLANE.jar(place.home()), JVM));
        command.addAll(List.of("--host", "127.0.0.1", "--port", Integer.toString(port)));
        command.addAll(List.of("--accounts", accounts().toString(), "--end-with-parent"));
        if (certificate != null) {
            command.addAll(List.of(
                    "--tls-cert",
                    certificate.chain().toString(),
                    "--tls-key",
                    certificate.key().toString()));
        }
        return List.copyOf(command);
    }

    private Path accounts() throws IOException {
        StackAccounts accounts = new StackAccounts(List.of(new StackAccounts.Tenant(
                "peers",
                List.of(new StackAccounts.Key(key.id(), key.sha256())),
                List.of(new StackAccounts.Account(
                        KvStoreLoad.RESOURCE,
                        new StackAccounts.Filesystem(storage.toAbsolutePath().toString()))))));
        Path file = place.folder().resolve(name + "-accounts.json");
        return Files.writeString(file, new ObjectMapper().writeValueAsString(accounts));
    }
}
