package dev.kvstore.dataplane.service;

import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.server.DataPlaneFixture;
import dev.kvstore.dataplane.storage.filesystem.FilesystemStore;
import dev.kvstore.testing.TestAuthority;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
final class TlsMainJobTest extends MainJobContract {
    @TempDir
    private static Path certificates;

    private static TestAuthority authority;
    private static TestAuthority.Issued server;

    @TempDir
    private Path directory;

    @BeforeAll
    static void issue() throws IOException {
        authority = new TestAuthority(certificates, "authority");
        server = authority.issue("server");
    }

    @Override
    DataPlaneFixture start(Map<String, String> settings) {
        Map<String, String> overTls = new HashMap<>(settings);
        overTls.put("tls-cert", server.chain().toString());
        overTls.put("tls-key", server.key().toString());
        return new DataPlaneFixture(
                new StorageLocation.Filesystem(directory),
                location -> FilesystemStore.open(directory, InstantSource.system()),
                overTls,
                authority.certificate());
    }
}
