package dev.kvstore.dataplane.account;

import java.net.URI;
import java.nio.file.Path;

/** The location of an account's blobs. Holds no secret: credentials are references, resolved when a store is opened. */
public sealed interface StorageLocation {
    /**
     * The name of the place, the same at every data plane, whatever credential it uses. Never shown to a client. The
     * control plane names the place by the same text: {@link dev.kvstore.protocol.purge.StorageDigest}.
     */
    default String place() {
        return switch (this) {
            case Filesystem(Path directory) -> "file:" + directory;
            case Azure azure -> azure.endpoint() + "/" + azure.container();
        };
    }

    /** A directory of this machine, which processes may share. */
    record Filesystem(Path directory) implements StorageLocation {}

    /**
     * A blob container of an Azure Storage account.
     *
     * @param endpoint of the blob service
     * @param createContainer make the container if it is missing; for emulators
     */
    record Azure(URI endpoint, String container, CredentialReference credential, boolean createContainer)
            implements StorageLocation {}
}
