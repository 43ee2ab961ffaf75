package dev.kvstore.dataplane.server;

import dev.kvstore.dataplane.server.settings.DataPlaneSettings;
import dev.kvstore.dataplane.server.settings.TlsFlags;
import dev.kvstore.listener.ListenerTls;
import dev.kvstore.protocol.tls.BadPemException;
import dev.kvstore.protocol.tls.PemFile;
import dev.kvstore.protocol.tls.TlsFiles;
import io.netty.handler.ssl.ClientAuth;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The TLS of the listeners, as the settings have it. Stateless. */
final class ListenerTlsFiles {
    private ListenerTlsFiles() {}

    /**
     * The TLS that the settings name; empty if they name none.
     *
     * @throws BadPemException if a file cannot be used
     */
    static Optional<ListenerTls> open(DataPlaneSettings settings, InstantSource clock) throws BadPemException {
        if (settings.tlsCert().isEmpty()) {
            return Optional.empty();
        }
        TlsFiles files = new TlsFiles(
                file(TlsFlags.CERTIFICATE, settings.tlsCert()),
                file(TlsFlags.KEY, settings.tlsKey()),
                file(TlsFlags.CLIENT_CA, settings.tlsClientCa()));
        List<String> protocols =
                settings.tlsMinVersion().equals("1.2") ? List.of("TLSv1.3", "TLSv1.2") : List.of("TLSv1.3");
        return Optional.of(new ListenerTls(files, protocols, ClientAuth.REQUIRE, clock));
    }

    private static @Nullable PemFile file(String flag, Optional<Path> path) {
        return path.isPresent() ? new PemFile(flag, path.get()) : null;
    }
}
