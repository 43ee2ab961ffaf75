package dev.kvstore.client.internal.http2;

import io.grpc.Attributes;
import io.grpc.CallCredentials;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.SecurityLevel;
import io.grpc.Status;
import java.net.SocketAddress;
import java.util.function.Consumer;

/** Tells credentials about the connection of a call, and takes the headers that they add. */
final class Applied extends CallCredentials.MetadataApplier {
    private final Consumer<Metadata> fields;
    private final Consumer<Status> refusal;

    private Applied(Consumer<Metadata> fields, Consumer<Status> refusal) {
        this.fields = fields;
        this.refusal = refusal;
    }

    /** Asks credentials for headers. One of the two consumers gets the answer, on whatever thread it comes. */
    static void ask(CallCredentials credentials, About about, Consumer<Metadata> fields, Consumer<Status> refusal) {
        credentials.applyRequestMetadata(about, Runnable::run, new Applied(fields, refusal));
    }

    @Override
    public void apply(Metadata more) {
        fields.accept(more);
    }

    @Override
    public void fail(Status status) {
        refusal.accept(status);
    }

    /** The information that credentials get about a call on a connection. */
    static final class About extends CallCredentials.RequestInfo {
        private final MethodDescriptor<?, ?> method;
        private final String authority;
        private final boolean encrypted;
        private final Attributes attributes;

        About(MethodDescriptor<?, ?> method, String authority, boolean encrypted, SocketAddress peer) {
            this.method = method;
            this.authority = authority;
            this.encrypted = encrypted;
            this.attributes = Attributes.newBuilder()
                    .set(Grpc.TRANSPORT_ATTR_REMOTE_ADDR, peer)
                    .build();
        }

        @Override
        public MethodDescriptor<?, ?> getMethodDescriptor() {
            return method;
        }

        @Override
        public SecurityLevel getSecurityLevel() {
            return encrypted ? SecurityLevel.PRIVACY_AND_INTEGRITY : SecurityLevel.NONE;
        }

        @Override
        public String getAuthority() {
            return authority;
        }

        @Override
        public Attributes getTransportAttrs() {
            return attributes;
        }
    }
}
