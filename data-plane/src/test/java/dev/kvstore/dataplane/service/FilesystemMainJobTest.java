package dev.kvstore.dataplane.service;

import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.server.DataPlaneFixture;
import dev.kvstore.dataplane.storage.filesystem.FilesystemStore;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;

final class FilesystemMainJobTest extends MainJobContract {
    @TempDir
    private Path directory;

    @Override
    DataPlaneFixture start(Map<String, String> settings) {
        return new DataPlaneFixture(
                new StorageLocation.Filesystem(directory),
                location -> FilesystemStore.open(directory, InstantSource.system()),
                settings);
    }
}
