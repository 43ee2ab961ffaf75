package dev.kvstore.dataplane.tier.disk;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.kvstore.dataplane.account.CredentialReference;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.protocol.block.BlockHash;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Makes the keys of blocks on disk, the same in every process. Remembers the locations that it has seen. Thread-safe.
 */
final class RecordKeys {
    private static final byte[] DOMAIN = "kvstore.disk.v1".getBytes(UTF_8);

    private final Cache<StorageLocation, byte[]> locations =
            Caffeine.newBuilder().maximumSize(10_000).executor(Runnable::run).build();

    RecordKey of(BlockKey key) {
        ByteBuffer name = ByteBuffer.allocate(3 * BlockHash.BYTES);
        name.put(locations.get(key.storage(), RecordKeys::digest));
        key.root().putTo(name);
        key.hash().putTo(name);
        ByteBuffer digest = ByteBuffer.wrap(sha256().digest(name.array()));
        return new RecordKey(digest.getLong(), digest.getLong());
    }

    private static byte[] digest(StorageLocation location) {
        MessageDigest sha256 = sha256();
        sha256.update(DOMAIN);
        switch (location) {
            case StorageLocation.Filesystem place ->
                update(sha256, "filesystem", place.directory().toString());
            case StorageLocation.Azure place ->
                update(
                        sha256,
                        "azure",
                        place.endpoint().toString(),
                        place.container(),
                        name(place.credential()),
                        Boolean.toString(place.createContainer()));
        }
        return sha256.digest();
    }

    private static String name(CredentialReference credential) {
        return switch (credential) {
            case CredentialReference.ManagedIdentity _ -> "managed-identity";
            case CredentialReference.EnvironmentVariable(String variable) -> "env:" + variable;
            case CredentialReference.File file -> "file:" + file.path();
            case CredentialReference.VaultSecret vault -> "keyvault:" + vault.secret() + " " + vault.resourceName();
        };
    }

    /** Hashes fields, each with its length, so that no two lists of fields are one byte string. */
    private static void update(MessageDigest sha256, String... fields) {
        for (String field : fields) {
            byte[] bytes = field.getBytes(UTF_8);
            sha256.update(
                    ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
            sha256.update(bytes);
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
