package dev.kvstore.client.internal;

import dev.kvstore.protocol.wire.Credentials;
import io.grpc.CallCredentials;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.SecurityLevel;
import io.grpc.Status;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Hands the key to a connection once it is known what the connection is: encrypted, or to this machine. So even a
 * {@code localhost} that some resolver sends elsewhere does not get it in clear. Thread-safe.
 */
final class ApiKeyCredentials extends CallCredentials {
    private final Metadata key = new Metadata();
    private final boolean plaintextAnywhere;

    ApiKeyCredentials(String apiKey, boolean plaintextAnywhere) {
        this.plaintextAnywhere = plaintextAnywhere;
        key.put(Credentials.AUTHORIZATION, Credentials.bearer(apiKey));
    }

    @Override
    public void applyRequestMetadata(RequestInfo request, Executor executor, MetadataApplier applier) {
        SocketAddress peer = request.getTransportAttrs().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
        if (mayTravel(request.getSecurityLevel(), peer)) {
            applier.apply(key);
            return;
        }
        applier.fail(Status.UNAUTHENTICATED.withDescription("the API key was not sent: the connection to " + peer
                + " is not encrypted and leaves this machine; use tls() or trust(pem),"
                + " or accept it with plaintextAnywhere()"));
    }

    boolean mayTravel(SecurityLevel security, @Nullable SocketAddress peer) {
        return plaintextAnywhere
                || security == SecurityLevel.PRIVACY_AND_INTEGRITY
                || (peer instanceof InetSocketAddress address
                        && address.getAddress() != null
                        && address.getAddress().isLoopbackAddress());
    }
}
