package dev.kvstore.dataplane.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class StorageFilesTest {
    @ParameterizedTest
    @CsvSource({"4000, 1024, 512", "4000, 8000, 4000", "4000, 1048576, 4000", "1, 1024, 1", "4000, 1, 1"})
    void connectionsToStorageTakeHalfOfTheFilesAtMost(int wanted, long files, int connections) {
        assertThat(StorageFiles.connections(wanted, files)).isEqualTo(connections);
    }

    @Test
    void thisMachineHasALimitOfOpenFiles() {
        assertThat(StorageFiles.connections(Integer.MAX_VALUE)).isLessThan(Integer.MAX_VALUE);
    }
}
