package dev.kvstore.protocol.purge;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.ByteString;
import dev.kvstore.protocol.control.v1.Storage;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Names the place of an account's blobs only to those that know it, by the SHA-256 of {@code kvstore.place.v1}, a zero
 * byte and the place in UTF-8. A place is {@code ENDPOINT/CONTAINER}, or {@code file:DIRECTORY}. Stateless.
 */
public final class StorageDigest {
    private static final byte[] PURPOSE = "kvstore.place.v1\0".getBytes(UTF_8);

    private StorageDigest() {}

    /** The digest of a place, 32 bytes. */
    public static ByteString of(String place) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(PURPOSE);
            return ByteString.copyFrom(digest.digest(place.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /**
     * The digest of a storage's place, 32 bytes.
     *
     * @throws IllegalArgumentException if the kind of the storage is unknown, or if its path is invalid on this machine
     */
    public static ByteString of(Storage storage) {
        return switch (storage.getKindCase()) {
            case AZURE ->
                of(storage.getAzure().getEndpoint() + "/" + storage.getAzure().getContainer());
            case FILESYSTEM -> of("file:" + Path.of(storage.getFilesystem().getPath()));
            case KIND_NOT_SET -> throw new IllegalArgumentException("storage: is of no known kind");
        };
    }
}
