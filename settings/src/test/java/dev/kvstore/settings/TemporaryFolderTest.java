package dev.kvstore.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TemporaryFolderTest {
    @TempDir
    Path folder;

    @Test
    void aFolderThatCanBeWrittenHasNoFlawAndStaysEmpty() {
        assertThat(TemporaryFolder.flaw(folder)).isEmpty();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aFolderThatCannotBeWrittenIsNamedWithTheWayOut() {
        Path nowhere = folder.resolve("nowhere");

        assertThat(TemporaryFolder.flaw(nowhere))
                .get()
                .asString()
                .startsWith(nowhere + " cannot be written")
                .contains("emptyDir", "-Djava.io.tmpdir");
    }
}
