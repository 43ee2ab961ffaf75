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
 * Sends the key over a connection only if that is encrypted or ends on this machine, or the client was built with
 * {@code plaintextAnywhere}. This class checks the connection itself, so a {@code localhost} that resolves to another
 * machine does not get the key in clear. Thread-safe.
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
