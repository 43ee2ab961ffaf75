package dev.kvstore.dataplane.server;

import dev.kvstore.dataplane.account.control.ControlPlaneReplica;
import dev.kvstore.dataplane.server.settings.DataPlaneSettings;
import dev.kvstore.listener.ListenerTls;
import dev.kvstore.protocol.tls.BadPemException;
import dev.kvstore.protocol.tls.PemFile;
import dev.kvstore.protocol.tls.TlsFiles;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Connections to other data planes, over TLS if this one serves TLS: it shows them the certificate that it serves with.
 * Thread-safe.
 */
final class PeerChannels {
    private static final String AUTHORITY = "kvstore.peer-ca";

    private final @Nullable OutgoingTls tls;

    private PeerChannels(@Nullable OutgoingTls tls) {
        this.tls = tls;
    }

    /**
     * The connections that the settings describe.
     *
     * @throws BadPemException if the authorities cannot be used
     */
    static PeerChannels of(DataPlaneSettings settings, Optional<ListenerTls> tls) throws BadPemException {
        List<X509Certificate> authorities = settings.peerCa().isEmpty()
                ? List.of()
                : new TlsFiles(
                                null,
                                null,
                                new PemFile(AUTHORITY, settings.peerCa().get()))
                        .read(Instant.EPOCH)
                        .trust();
        return new PeerChannels(
                tls.map(listener -> new OutgoingTls(listener, authorities)).orElse(null));
    }

    /**
     * A connection to a peer.
     *
     * @param address host:port
     * @throws IllegalArgumentException if the address is none, or the certificates cannot be used
     */
    ManagedChannel to(String address) {
        ControlPlaneReplica peer = ControlPlaneReplica.all(address).getFirst();
        String host = peer.host().startsWith("[")
                ? peer.host().substring(1, peer.host().length() - 1)
                : peer.host();
        NettyChannelBuilder builder = ControlPlaneReplica.connecting(NettyChannelBuilder.forAddress(host, peer.port()));
        return tls == null
                ? builder.usePlaintext().build()
                : builder.sslContext(tls.context()).build();
    }
}
