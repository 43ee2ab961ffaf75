package dev.kvstore.dataplane.server;

import dev.kvstore.dataplane.account.control.Replica;
import dev.kvstore.protocol.tls.BadPemException;
import dev.kvstore.protocol.tls.Identity;
import dev.kvstore.protocol.tls.PemFile;
import dev.kvstore.protocol.tls.TlsFiles;
import io.grpc.ManagedChannel;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Connections to other data planes, over TLS if this one serves TLS: it shows them the certificate that it serves with.
 * Thread-safe.
 */
final class PeerChannels {
    private static final String AUTHORITY = "kvstore.peer-ca";

    private record InUse(Identity identity, SslContext context) {}

    private final @Nullable ListenerTls tls;
    private final List<X509Certificate> authorities;
    private volatile @Nullable InUse latest;

    private PeerChannels(@Nullable ListenerTls tls, List<X509Certificate> authorities) {
        this.tls = tls;
        this.authorities = authorities;
    }

    /**
     * Connections as they are set.
     *
     * @throws BadPemException if the authorities cannot be used
     */
    static PeerChannels of(Settings settings, Optional<ListenerTls> tls) throws BadPemException {
        List<X509Certificate> authorities = settings.peerCa().isEmpty()
                ? List.of()
                : new TlsFiles(
                                null,
                                null,
                                new PemFile(AUTHORITY, settings.peerCa().get()))
                        .read(Instant.EPOCH)
                        .trust();
        return new PeerChannels(tls.orElse(null), authorities);
    }

    /**
     * A connection to a peer.
     *
     * @param address host:port
     * @throws IllegalArgumentException if it is none, or the certificates cannot be used
     */
    ManagedChannel to(String address) {
        Replica peer = Replica.all(address).getFirst();
        String host = peer.host().startsWith("[")
                ? peer.host().substring(1, peer.host().length() - 1)
                : peer.host();
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress(host, peer.port());
        ListenerTls listener = tls;
        if (listener == null) {
            return builder.usePlaintext().build();
        }
        SslContext _ = context(listener);
        return builder.sslContext(new FollowingSslContext(() -> context(listener)))
                .build();
    }

    private SslContext context(ListenerTls listener) {
        Identity identity = listener.identity();
        InUse known = latest;
        if (known != null && known.identity.equals(identity)) {
            return known.context;
        }
        try {
            SslContextBuilder builder = GrpcSslContexts.forClient().keyManager(identity.key(), identity.chain());
            if (!authorities.isEmpty()) {
                builder.trustManager(authorities);
            }
            SslContext made = builder.build();
            latest = new InUse(identity, made);
            return made;
        } catch (SSLException e) {
            throw new IllegalArgumentException("TLS towards peers cannot be had: " + e.getMessage(), e);
        }
    }
}
