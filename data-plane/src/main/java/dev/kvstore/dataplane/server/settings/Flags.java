package dev.kvstore.dataplane.server.settings;

import dev.kvstore.dataplane.storage.azure.Transport;
import dev.kvstore.dataplane.storage.http.LocalAddresses;
import dev.kvstore.settings.BadFlag;
import dev.kvstore.settings.FirstFlags;
import dev.kvstore.settings.FlagChecks;
import dev.kvstore.settings.Version;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command line of a data plane, turned into the settings it stands for. */
@FirstFlags({
    "--accounts",
    "--control-plane",
    "--control-plane-ca",
    "--join-token-file",
    "--region",
    "--cluster",
    "--advertise",
    "--port",
    "--http-port",
    "--host",
    "--plaintext",
    "--tls-cert",
    "--tls-key",
    "--node-name",
    "--log-level"
})
@Command(
        name = "kv node",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = "Runs one data plane in the foreground.",
        footer = {
            "Further settings, which docs/operations/settings.md lists:",
            "KVSTORE_NAME=VALUE in the environment, or",
            "-Dkvstore.NAME=VALUE in JAVA_TOOL_OPTIONS."
        })
public final class Flags {
    private static final String BLOB_DNS_SUFFIX = "--blob-dns-suffix";
    private static final String AZURE_SUFFIX = ".blob.core.windows.net";

    /** The original service's HTTP clients; command lines that name one go on working. */
    private static final Set<String> ORIGINAL_TRANSPORTS = Set.of("libcurl", "winhttp");

    @Mixin
    AccountsFlags accounts = new AccountsFlags();

    @Mixin
    ClusterFlags cluster = new ClusterFlags(MachineAddress.THIS);

    @Option(names = "--port", defaultValue = "8085", description = "gRPC port (default ${DEFAULT-VALUE}).")
    int port;

    @Option(names = "--http-port", description = "Health and metrics port (default: gRPC port + 1000).")
    @Nullable
    Integer httpPort;

    @Option(
            names = "--host",
            defaultValue = "0.0.0.0",
            description = "Address to listen on (default ${DEFAULT-VALUE}, which needs --tls-cert or --plaintext).")
    String host = "";

    @Option(
            names = "--http-host",
            paramLabel = "HOST",
            description =
                    "Address of the health and metrics port, which asks for no key (default: --host if that is loopback,"
                            + " else 127.0.0.1). Give another one where probes and Prometheus are on other machines.")
    @Nullable
    String httpHost;

    @Option(names = "--plaintext", description = "Serve without TLS on an address that is not loopback.")
    boolean plaintext;

    @Mixin
    TlsFlags tls = new TlsFlags();

    @Option(
            names = "--threads",
            defaultValue = "auto",
            description = "Network threads, or auto (the default): one per core.")
    String threads = "";

    @Option(
            names = BLOB_DNS_SUFFIX,
            description =
                    "Host name of a storage account without its name, for --accounts; a control plane has a flag of"
                            + " its own (default " + AZURE_SUFFIX + ").")
    @Nullable
    String blobDnsSuffix;

    @Option(
            names = "--transport",
            defaultValue = "netty",
            description = "HTTP client towards Azure Storage: netty or jdk (default ${DEFAULT-VALUE}).")
    String transport = "";

    @Option(
            names = "--enable-multi-nic",
            arity = "0..1",
            paramLabel = "ADDRESS,...",
            defaultValue = "",
            fallbackValue = LocalAddresses.AUTO,
            description = "Connections to Azure Storage leave from each of these addresses in turn; without any, from"
                    + " each address of every network interface that is up.")
    String multiNic = "";

    @Option(
            names = "--log-level",
            defaultValue = "error",
            description = "error, warn, info, debug or trace (default ${DEFAULT-VALUE}).")
    String logLevel = "";

    @Option(
            names = "--log-format",
            defaultValue = "text",
            description = "text, or json: one object a line (default ${DEFAULT-VALUE}).")
    String logFormat = "";

    @Option(
            names = "--node-name",
            description = "This data plane among all of its tenants: no two that run may have the same, and after a"
                    + " restart it should be the same again (default: host name and port).")
    @Nullable
    String nodeName;

    @Option(
            names = "--numa-node",
            paramLabel = "N",
            description = "NUMA node whose CPUs and memory alone are used (default: the whole machine).")
    @Nullable
    public Integer numaNode;

    // The flag is for programs that start data planes, and is not in the help.
    @Option(names = "--numa-memory", hidden = true, description = "Bytes of the node that this process may take.")
    @Nullable
    public Long numaMemory;

    @Option(names = "--end-with-parent", hidden = true, description = "Stop when standard input ends.")
    public boolean endWithParent;

    /**
     * The settings these flags stand for, by the names the application reads.
     *
     * @param warning gets each flag that is not taken as it is given
     */
    public Map<String, String> settings(Consumer<String> warning) throws BadFlag {
        FlagChecks.requireText("--host", host);
        int http = httpPort == null ? port + 1000 : httpPort;
        FlagChecks.requirePorts(port, http);
        Map<String, String> settings = new LinkedHashMap<>(tls.settings());
        settings.putAll(accounts.settings());
        InetAddress address = address("--host", host);
        String httpAt = httpHost != null ? httpHost : address.isLoopbackAddress() ? host : "127.0.0.1";
        FlagChecks.requireText("--http-host", httpAt);
        settings.putAll(cluster.settings(settings.get("kvstore.control-plane"), host, address, port));
        requireLoopbackOrConsent(address);
        requireFree("--port", host, address, port);
        requireFree("--http-port", httpAt, address("--http-host", httpAt), http);
        settings.put("kvstore.blob-dns-suffix", suffix(warning));
        settings.put("kvstore.node-name", nodeName());
        if (ORIGINAL_TRANSPORTS.contains(transport)) {
            warning.accept("--transport: " + transport + " is not here, netty takes its place; give netty or jdk");
            transport = Transport.NETTY.toString();
        }
        settings.put("kvstore.transport", transport().toString());
        requireLocalAddresses();
        settings.put("kvstore.local-addresses", multiNic);
        settings.put("quarkus.grpc.server.host", host);
        settings.put("quarkus.grpc.server.port", Integer.toString(port));
        settings.put("quarkus.http.host", httpAt);
        settings.put("quarkus.http.port", Integer.toString(http));
        settings.put("quarkus.log.level", FlagChecks.logLevel(logLevel));
        settings.put("quarkus.log.console.json.enabled", Boolean.toString(FlagChecks.isJson(logFormat)));
        if (numaNode != null) {
            requireBound(numaNode);
            settings.put("kvstore.numa-node", numaNode.toString());
        }
        int loops = threadCount();
        settings.put("quarkus.grpc.server.instances", Integer.toString(loops));
        settings.put("quarkus.vertx.event-loops-pool-size", Integer.toString(loops));
        return settings;
    }

    private String suffix(Consumer<String> warning) throws BadFlag {
        if (blobDnsSuffix == null) {
            return AZURE_SUFFIX;
        }
        FlagChecks.requireText(BLOB_DNS_SUFFIX, blobDnsSuffix);
        if (accounts.replicas != null) {
            warning.accept(
                    BLOB_DNS_SUFFIX + ": has no effect with --control-plane, which knows each account's endpoint;"
                            + " give the flag to kv control-plane");
        }
        return blobDnsSuffix;
    }

    private String nodeName() throws BadFlag {
        if (nodeName != null) {
            if (!nodeName.matches("[a-z0-9-]{1,63}")) {
                throw new BadFlag("--node-name: must be 1 to 63 of a-z, 0-9 and -, not " + nodeName);
            }
            return nodeName;
        }
        String host;
        try {
            host = InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            host = "localhost";
        }
        // A port is one process's alone on a host.
        String plain = host.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
        return plain.substring(0, Math.min(50, plain.length())) + "-" + port;
    }

    /** The program that starts this process binds it to the node, and says here how much memory the node has. */
    private void requireBound(int node) throws BadFlag {
        if (node < 0) {
            throw new BadFlag("--numa-node: must be a number, not " + node);
        }
        if (numaMemory == null) {
            throw new BadFlag(
                    "--numa-node: only kv binds a process to a node; start it with kv node --numa-node " + node);
        }
    }

    private static InetAddress address(String flag, String host) throws BadFlag {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new BadFlag(flag + ": " + host + " is no address of this machine");
        }
    }

    private void requireLoopbackOrConsent(InetAddress address) throws BadFlag {
        if (plaintext && tls.given()) {
            throw new BadFlag("--plaintext: contradicts --tls-cert; leave one of them out");
        }
        if (!plaintext && !tls.given() && !address.isLoopbackAddress()) {
            throw new BadFlag("--host: " + host + " is not loopback, and API keys would travel in clear;"
                    + " add --tls-cert and --tls-key, or listen on 127.0.0.1, or accept it with --plaintext");
        }
    }

    /** Requires a free port before the application starts, whose own answer comes late and is a stack trace. */
    private static void requireFree(String flag, String host, InetAddress address, int port) throws BadFlag {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(address, port));
        } catch (IOException e) {
            throw new BadFlag(flag + ": cannot listen on " + host + ":" + port + ": " + e.getMessage());
        }
    }

    private Transport transport() throws BadFlag {
        try {
            return Transport.of(transport);
        } catch (IllegalArgumentException e) {
            throw new BadFlag("--transport: " + e.getMessage());
        }
    }

    private void requireLocalAddresses() throws BadFlag {
        if (!multiNic.isEmpty() && transport() != Transport.NETTY) {
            throw new BadFlag(
                    "--enable-multi-nic: --transport " + transport + " cannot do that; leave out one of both");
        }
        try {
            LocalAddresses.of(multiNic);
        } catch (IllegalArgumentException e) {
            throw new BadFlag("--enable-multi-nic: " + e.getMessage());
        }
    }

    private int threadCount() throws BadFlag {
        if (threads.equals("auto")) {
            return Runtime.getRuntime().availableProcessors();
        }
        if (threads.matches("[1-9][0-9]{0,3}")) {
            return Integer.parseInt(threads);
        }
        throw new BadFlag("--threads: must be auto or 1 to 9999, not " + threads);
    }
}
