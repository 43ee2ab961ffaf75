package dev.kvstore.dataplane.storage.azure;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The credential by which a tenant's storage knows us. No text shows the secret. */
public sealed interface StorageCredential {
    /**
     * The identity this process runs under: of a workload, of the machine, or of a developer who is signed in.
     *
     * @param clientId of a user-assigned identity, or null for the only one there is
     */
    record ManagedIdentity(@Nullable String clientId) implements StorageCredential {}

    /** A shared access signature, with or without the leading '?'. */
    record SharedAccessSignature(String token) implements StorageCredential {
        public SharedAccessSignature {
            Objects.requireNonNull(token, "token");
        }

        @Override
        public String toString() {
            return "SharedAccessSignature[token=hidden]";
        }
    }

    /** A connection string; its key or signature counts, the endpoint is named apart. */
    record ConnectionString(String value) implements StorageCredential {
        public ConnectionString {
            Objects.requireNonNull(value, "value");
        }

        @Override
        public String toString() {
            return "ConnectionString[value=hidden]";
        }
    }
}
