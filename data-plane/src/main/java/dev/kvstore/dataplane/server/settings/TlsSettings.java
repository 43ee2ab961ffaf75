package dev.kvstore.dataplane.server.settings;

import dev.kvstore.settings.Described;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** TLS of both listeners. */
public interface TlsSettings {
    @Described(
            bounds = "Certificate of this process, then those that lead to an authority (PEM); without it, no TLS."
                    + " --tls-cert wins over it.")
    Optional<Path> tlsCert();

    @Described(bounds = "Key of that certificate (PEM, not encrypted). --tls-key wins over it.")
    Optional<Path> tlsKey();

    @Described(
            bounds = "Authorities (PEM), one of which must have issued the certificate of each gRPC client; without"
                    + " it, clients need no certificate, with it none connects that has no such certificate."
                    + " --tls-client-ca wins over it.")
    Optional<Path> tlsClientCa();

    @WithDefault("1.3")
    @Described(
            type = "version",
            form = "1.2 or 1.3",
            least = "1.2",
            most = "1.3",
            bounds = "Oldest version of TLS that clients may use.",
            reached = "The handshake of an older client fails.")
    String tlsMinVersion();

    @WithDefault("10s")
    @Described(
            least = "1s",
            most = "1d",
            bounds =
                    "Time between two checks of the TLS files and of --join-token-file for changes; new connections and"
                            + " calls use what the files hold then.")
    Duration tlsReloadInterval();
}
