package dev.kvstore.dataplane.storage.filesystem;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.tier.disk.DiskSettings;
import dev.kvstore.dataplane.tier.disk.DiskState;
import dev.kvstore.dataplane.tier.disk.DiskTier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Blocks of tenants are for the user alone that the process runs as. */
final class PrivateFilesTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private static void assertPrivate(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            List<Path> paths = all.toList();
            assertThat(paths).anyMatch(Files::isRegularFile);
            for (Path path : paths) {
                assertThat(permissions(path))
                        .as(path.toString())
                        .isEqualTo(Files.isDirectory(path) ? "rwx------" : "rw-------");
            }
        }
    }

    @Test
    void aStoreInAFolderIsItsOwners() throws Exception {
        Path root = folder.resolve("store");
        try (BlockStore store = FilesystemStore.open(root, InstantSource.system())) {
            store.putIfAbsent("kv/v1/a/b", ByteBuffer.allocate(10));
        }

        assertPrivate(root);
    }

    @Test
    void aDiskTierIsItsOwnersAlsoWhereAnEarlierVersionLeftItOpen() throws Exception {
        Path root = Files.createDirectory(folder.resolve("disk"));
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
        DiskSettings settings = DiskSettings.of(root, DiskSettings.MIN_BYTES, 256L << 20);
        try (DiskTier tier =
                DiskTier.open(settings, new MemoryPool(256L << 20, Duration.ofSeconds(5)), Ticker.systemTicker())) {
            Awaitility.await().until(() -> tier.state().condition() == DiskState.Condition.WORKING);
            assertPrivate(root);
        }
    }
}
