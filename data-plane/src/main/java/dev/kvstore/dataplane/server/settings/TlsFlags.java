package dev.kvstore.dataplane.server.settings;

import dev.kvstore.settings.BadFlag;
import dev.kvstore.settings.FlagChecks;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The flags of TLS, which are settings too. {@link dev.kvstore.listener.ListenerTls} checks the content of the files.
 */
public final class TlsFlags {
    public static final String CERTIFICATE = "--tls-cert";
    public static final String KEY = "--tls-key";
    public static final String CLIENT_CA = "--tls-client-ca";

    @Option(
            names = CERTIFICATE,
            paramLabel = "FILE",
            defaultValue = "${sys:kvstore.tls-cert:-${env:KVSTORE_TLS_CERT}}",
            description = "Serve gRPC and HTTP over TLS with this certificate (PEM chain, reloaded when it changes).")
    @Nullable
    Path certificate;

    @Option(
            names = KEY,
            paramLabel = "FILE",
            defaultValue = "${sys:kvstore.tls-key:-${env:KVSTORE_TLS_KEY}}",
            description = "Key of that certificate (PEM, not encrypted).")
    @Nullable
    Path key;

    @Option(
            names = CLIENT_CA,
            paramLabel = "FILE",
            defaultValue = "${sys:kvstore.tls-client-ca:-${env:KVSTORE_TLS_CLIENT_CA}}",
            description = "Serve gRPC only to clients with a certificate of one of these authorities (PEM).")
    @Nullable
    Path clientCa;

    /** Whether listeners are to speak TLS. */
    boolean given() {
        return certificate != null;
    }

    /** The settings these flags stand for. */
    Map<String, String> settings() throws BadFlag {
        if (certificate != null && key == null) {
            throw new BadFlag(KEY + ": is missing; give the key of the certificate in " + CERTIFICATE);
        }
        if (certificate == null && key != null) {
            throw new BadFlag(CERTIFICATE + ": is missing; give the certificate of the key in " + KEY);
        }
        if (certificate == null && clientCa != null) {
            throw new BadFlag(
                    CLIENT_CA + ": clients show certificates only over TLS; add " + CERTIFICATE + " and " + KEY);
        }
        Map<String, String> settings = new LinkedHashMap<>();
        put(settings, "kvstore.tls-cert", CERTIFICATE, certificate);
        put(settings, "kvstore.tls-key", KEY, key);
        put(settings, "kvstore.tls-client-ca", CLIENT_CA, clientCa);
        return settings;
    }

    private static void put(Map<String, String> settings, String name, String flag, @Nullable Path file)
            throws BadFlag {
        if (file != null) {
            FlagChecks.requireText(flag, file.toString());
            settings.put(name, file.toString());
        }
    }
}
