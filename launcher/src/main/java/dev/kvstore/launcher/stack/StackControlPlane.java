package dev.kvstore.launcher.stack;

import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.rest.AdminClient;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The control plane of a local stack, with its database. Thread-safe, except for the database. */
public final class StackControlPlane extends StackProcess {
    private static final String NAME = "control-plane";

    /** The patterns of the endpoints: folders of this machine, and an emulator. */
    private static final String ENDPOINTS = "file:///*,http://127.0.0.1:*/*,https://127.0.0.1:*/*";

    // The longest start: the first one makes all tables.
    private static final Duration READY_WITHIN = Duration.ofMinutes(2);

    private final ControlPorts ports;
    private final AccessToken adminToken;
    private final @Nullable AccessToken platformToken;
    private final LocalDatabase database;

    private StackControlPlane(
            ProcessStart start,
            ControlPorts ports,
            AccessToken adminToken,
            @Nullable AccessToken platformToken,
            LocalDatabase database) {
        super(start, ports.rest(), READY_WITHIN);
        this.ports = ports;
        this.adminToken = adminToken;
        this.platformToken = platformToken;
        this.database = database;
    }

    /**
     * Starts a control plane without waiting for it.
     *
     * @param java the command up to the program's own arguments
     * @param ports none of them 0
     * @param database the database, which runs; the caller closes it
     * @param withPlatformToken whether it takes a join token that belongs to no cluster
     * @throws LaunchException if a port is in use
     */
    static StackControlPlane start(
            List<String> java,
            ControlPorts ports,
            StackFolder folder,
            LocalDatabase database,
            boolean withPlatformToken,
            RandomGenerator random)
            throws IOException {
        requireFree(ports);
        AccessToken adminToken = folder.adminToken(random);
        AccessToken platformToken = withPlatformToken ? AccessToken.generate(random) : null;
        Map<String, String> environment = new HashMap<>(Map.of(
                "KVSTORE_ADMIN_TOKEN", adminToken.text(),
                "KVSTORE_DB_USER", LocalDatabase.USER,
                "KVSTORE_DB_PASSWORD", database.password()));
        if (platformToken != null) {
            environment.put("KVSTORE_JOIN_TOKEN", platformToken.text());
        }
        ProcessStart start =
                new ProcessStart(NAME, command(java, ports, database.url()), Map.copyOf(environment), folder.log(NAME));
        return new StackControlPlane(start, ports, adminToken, platformToken, database);
    }

    /**
     * Checks that these ports are free.
     *
     * @throws LaunchException if a server listens there
     */
    static void requireFree(ControlPorts ports) {
        requireFree(ports.rest(), "give --rest-port another one");
        requireFree(ports.grpc(), "give --control-port another one");
    }

    private static List<String> command(List<String> java, ControlPorts ports, String jdbcUrl) {
        List<String> command = new ArrayList<>(java);
        command.addAll(List.of("--host", "127.0.0.1"));
        command.addAll(List.of("--http-port", Integer.toString(ports.rest())));
        command.addAll(List.of("--port", Integer.toString(ports.grpc())));
        command.addAll(List.of("--jdbc-url", jdbcUrl, "--storage-endpoints", ENDPOINTS));
        // Without this flag, the process would keep its ports if this process were killed.
        command.add("--end-with-parent");
        return List.copyOf(command);
    }

    /** The control plane's URL for admins. */
    public URI restUrl() {
        return http("");
    }

    /** The control plane's address for data planes, host:port. */
    public String address() {
        return "127.0.0.1:" + ports.grpc();
    }

    /** The token by which the admin proves their identity. */
    public AccessToken adminToken() {
        return adminToken;
    }

    /**
     * The token that makes its bearer a data plane of any cluster.
     *
     * @throws IllegalStateException if the stack has none
     */
    public AccessToken platformToken() {
        if (platformToken == null) {
            throw new IllegalStateException("this stack was started without a token of the platform");
        }
        return platformToken;
    }

    /** The database of the control plane. */
    public LocalDatabase database() {
        return database;
    }

    /** Reads the control plane's present metrics. */
    public Metrics metrics() {
        return Metrics.scrape(http("/q/metrics"));
    }

    /** A client with the admin's token; the caller closes it. */
    public AdminClient admin() {
        return new AdminClient(restUrl(), adminToken.text());
    }
}
