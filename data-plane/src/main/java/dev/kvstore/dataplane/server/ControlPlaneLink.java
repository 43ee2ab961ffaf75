package dev.kvstore.dataplane.server;

import dev.kvstore.dataplane.account.control.ControlPlaneReplica;
import dev.kvstore.dataplane.account.control.ControlPlaneReplicas;
import dev.kvstore.dataplane.account.control.FollowedToken;
import dev.kvstore.dataplane.account.control.JoinToken;
import dev.kvstore.dataplane.account.control.OwnSecret;
import dev.kvstore.dataplane.server.settings.AccountsFlags;
import dev.kvstore.dataplane.server.settings.DataPlaneSettings;
import dev.kvstore.dataplane.storage.filesystem.PrivateFiles;
import dev.kvstore.listener.ListenerTls;
import dev.kvstore.protocol.tls.BadPemException;
import dev.kvstore.protocol.tls.PemFile;
import dev.kvstore.protocol.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The control plane that the settings describe. Stateless. */
final class ControlPlaneLink {
    private ControlPlaneLink() {}

    /**
     * The control plane, not connected yet: in clear on loopback if no authority is named, else over TLS. The control
     * plane is shown the certificate that this process serves with, if it asks for one.
     *
     * @throws BadPemException if the authorities cannot be used
     * @throws IllegalArgumentException if there is neither a join token nor such a certificate, naming where they are
     *     looked for
     */
    static ControlPlaneReplicas open(
            DataPlaneSettings settings, Optional<ListenerTls> listener, Map<String, String> environment)
            throws BadPemException {
        List<ControlPlaneReplica> replicas =
                ControlPlaneReplica.all(settings.controlPlane().orElseThrow());
        List<X509Certificate> authorities = authorities(settings.controlPlaneCa());
        FollowedToken token = FollowedToken.of(settings.joinTokenFile(), environment);
        OutgoingTls tls = new OutgoingTls(listener.orElse(null), authorities);
        boolean shows = tls.hasCertificate() && replicas.stream().allMatch(replica -> isSecured(replica, authorities));
        if (token.current() == null && !shows) {
            throw new IllegalArgumentException("--control-plane: needs a join token; set " + JoinToken.VARIABLE
                    + " or give --join-token-file, or --tls-cert with a certificate that names cluster and node");
        }
        return new ControlPlaneReplicas(
                replicas,
                replica -> isSecured(replica, authorities) ? tls.context() : null,
                token,
                () -> secret(token, listener));
    }

    private static OwnSecret secret(FollowedToken token, Optional<ListenerTls> listener) {
        JoinToken current = token.current();
        return current == null ? OwnSecret.of(listener.orElseThrow().identity().key()) : OwnSecret.of(current);
    }

    private static boolean isSecured(ControlPlaneReplica replica, List<X509Certificate> authorities) {
        return !replica.isLoopback() || !authorities.isEmpty();
    }

    private static List<X509Certificate> authorities(Optional<Path> file) throws BadPemException {
        return file.isEmpty()
                ? List.of()
                : new TlsFiles(null, null, new PemFile(AccountsFlags.AUTHORITY, file.get()))
                        .read(Instant.EPOCH)
                        .trust();
    }

    /** Makes the folder of the file with answers. Returns why that cannot be, and the way out, or null. */
    static @Nullable String flaw(DataPlaneSettings settings) {
        Path folder = settings.statePath().orElse(null);
        if (folder == null) {
            return null;
        }
        if (!folder.isAbsolute()) {
            return "kvstore.state-path: give the absolute path of a folder, not " + folder;
        }
        try {
            PrivateFiles.createFolders(folder);
        } catch (IOException e) {
            return "kvstore.state-path: " + folder + " cannot be made; give a folder that this user may write";
        }
        return Files.isWritable(folder)
                ? null
                : "kvstore.state-path: " + folder + " cannot be written; give a folder that this user may write";
    }
}
