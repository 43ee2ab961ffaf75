package dev.kvstore.control.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.control.SharedPostgres;
import dev.kvstore.control.database.Database;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A control plane as a real process, on a system that is not as it should be. */
class HardPlacesIT {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @Test
    void theFolderOfTemporaryFilesMayBeReadOnly() throws Exception {
        Database database = SharedPostgres.newDatabase().database();
        Path log = folder.resolve("log");
        try (ControlPlaneInstance _ = ControlPlaneInstance.start(
                database.url(),
                Map.of("KVSTORE_DB_USER", database.user(), "JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=/proc/self"),
                log)) {
            assertThat(log).content().contains("/proc/self cannot be written");
        }
    }
}
