package dev.kvstore.control.server;

import dev.kvstore.control.transport.PortTls;
import dev.kvstore.protocol.tls.BadPemException;
import dev.kvstore.settings.BadFlag;
import dev.kvstore.settings.FlagChecks;
import dev.kvstore.settings.Version;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command line of a control plane. The settings follow from its flags. */
@Command(
        name = "kv control-plane",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = "Runs one control plane in the foreground: REST for admins, gRPC for data planes.",
        footer = {
            "From the environment:",
            "KVSTORE_ADMIN_TOKEN   lets its bearer do everything (kva_ and 16 characters or more)",
            "KVSTORE_JOIN_TOKEN    makes its bearer a data plane of any cluster: leave it unset, and make join tokens",
            "KVSTORE_DB_USER, KVSTORE_DB_PASSWORD  for --jdbc-url",
            "docs/operations/control-plane.md has more, OIDC among it."
        })
final class Flags {
    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "::1");

    @Option(names = "--http-port", defaultValue = "8080", description = "REST port (default ${DEFAULT-VALUE}).")
    int httpPort;

    @Option(names = "--port", defaultValue = "9090", description = "gRPC port (default ${DEFAULT-VALUE}).")
    int port;

    @Option(
            names = "--host",
            defaultValue = "127.0.0.1",
            description = "Address to listen on (default ${DEFAULT-VALUE}; any other needs --tls-cert or --plaintext).")
    String host = "";

    @Option(names = "--plaintext", description = "Serve without TLS on an address that is not loopback.")
    boolean plaintext;

    @Option(
            names = "--tls-cert",
            paramLabel = "FILE",
            description = "Certificate chain (PEM, reloaded when it changes): serve REST and gRPC over TLS.")
    @Nullable
    Path tlsCert;

    @Option(names = "--tls-key", paramLabel = "FILE", description = "Its private key (PEM, not encrypted).")
    @Nullable
    Path tlsKey;

    @Option(
            names = "--tls-client-ca",
            paramLabel = "FILE",
            description =
                    "Authorities (PEM) of data planes' certificates: one whose SAN names cluster and node needs no join"
                            + " token.")
    @Nullable
    Path tlsClientCa;

    @Option(
            names = "--jdbc-url",
            paramLabel = "URL",
            description = "PostgreSQL 15 or newer, as in jdbc:postgresql://host/kvstore; needed.")
    String jdbcUrl = "";

    @Option(
            names = "--insecure-database",
            description = "Use a database on another machine without verifying its certificate (sslmode=verify-full).")
    boolean insecureDatabase;

    @Option(
            names = "--data",
            paramLabel = "FOLDER",
            hidden = true,
            description = "Where a PostgreSQL of its own kept everything, up to 0.1; refused.")
    @Nullable
    Path data;

    @Option(
            names = "--storage-endpoints",
            paramLabel = "PATTERN,...",
            description = "Storage that may be registered (default: every storage account of --blob-dns-suffix).")
    @Nullable
    String storageEndpoints;

    @Option(
            names = "--blob-dns-suffix",
            paramLabel = "SUFFIX",
            defaultValue = ".blob.core.windows.net",
            description = "Host name of a storage account without its name, where an account gives no endpoint"
                    + " (default ${DEFAULT-VALUE}).")
    String blobDnsSuffix = "";

    @Option(
            names = "--log-level",
            defaultValue = "warn",
            description = "error, warn, info, debug or trace (default ${DEFAULT-VALUE}).")
    String logLevel = "";

    @Option(
            names = "--log-format",
            defaultValue = "text",
            description = "text, or json: one object a line (default ${DEFAULT-VALUE}).")
    String logFormat = "";

    @Option(names = "--end-with-parent", hidden = true, description = "Stop when standard input ends.")
    boolean endWithParent;

    /**
     * The settings that these flags stand for, by the names that the application reads, without those of the database.
     */
    Map<String, String> settings() throws BadFlag {
        FlagChecks.requirePorts(port, httpPort);
        require(
                data == null,
                "--data: a control plane starts no database; run kv database --data " + data
                        + ", and give the URL that it prints as --jdbc-url");
        require(!jdbcUrl.isEmpty(), "--jdbc-url: name a database; kv database starts one for a trial");
        require(jdbcUrl.startsWith("jdbc:postgresql:"), "--jdbc-url: must begin with jdbc:postgresql:");
        String flaw = insecureDatabase ? null : FarEnds.databaseFlaw(jdbcUrl);
        require(flaw == null, String.valueOf(flaw));
        require(
                LOOPBACK.contains(host) || tlsCert != null || plaintext,
                "--host: " + host + " is not loopback: give --tls-cert and --tls-key, or --plaintext");
        require(
                blobDnsSuffix.matches("(\\.[a-z0-9-]+)+"),
                "--blob-dns-suffix: must be the end of a host name, as in .blob.core.windows.net");
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("kvstore.blob-dns-suffix", blobDnsSuffix);
        if (storageEndpoints != null) {
            FlagChecks.requireText("--storage-endpoints", storageEndpoints);
            settings.put("kvstore.storage-endpoints", storageEndpoints);
        }
        settings.put("quarkus.http.host", host);
        settings.put("quarkus.http.port", Integer.toString(httpPort));
        settings.put("quarkus.grpc.server.host", host);
        settings.put("quarkus.grpc.server.port", Integer.toString(port));
        settings.put("quarkus.log.level", FlagChecks.logLevel(logLevel));
        settings.put("quarkus.log.console.json.enabled", Boolean.toString(FlagChecks.isJson(logFormat)));
        settings.putAll(tls());
        return settings;
    }

    private Map<String, String> tls() throws BadFlag {
        require((tlsCert == null) == (tlsKey == null), "--tls-key: --tls-cert and --tls-key go together");
        require(tlsClientCa == null || tlsCert != null, "--tls-client-ca: needs --tls-cert");
        if (tlsCert == null || tlsKey == null) {
            return Map.of();
        }
        Map<String, String> settings = new LinkedHashMap<>();
        try {
            // The files are read here so that an error is a sentence, and again where they are followed.
            var _ = PortTls.files(tlsCert, tlsKey, tlsClientCa).read(Instant.now());
        } catch (BadPemException e) {
            throw new BadFlag(e.flaw());
        }
        settings.put("quarkus.http.ssl.certificate.files", tlsCert.toString());
        settings.put("quarkus.http.ssl.certificate.key-files", tlsKey.toString());
        settings.put("quarkus.http.ssl-port", Integer.toString(httpPort));
        settings.put("quarkus.http.insecure-requests", "disabled");
        settings.put(PortTls.CERTIFICATE, tlsCert.toString());
        settings.put(PortTls.KEY, tlsKey.toString());
        if (tlsClientCa != null) {
            settings.put(PortTls.CLIENT_AUTHORITIES, tlsClientCa.toString());
        }
        return settings;
    }

    private static void require(boolean holds, String flaw) throws BadFlag {
        if (!holds) {
            throw new BadFlag(flaw);
        }
    }
}
