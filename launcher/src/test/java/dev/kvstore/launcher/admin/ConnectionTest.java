package dev.kvstore.launcher.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the token comes from. */
class ConnectionTest {
    @TempDir
    Path folder;

    @Test
    void theFileThatIsNamedGoesBeforeTheEnvironmentAndThatBeforeTheUsualFile() throws Exception {
        Path named = Files.writeString(folder.resolve("named"), "of-the-flag\n");
        Path usual = Files.writeString(folder.resolve("usual"), "of-kv-up\n");

        assertThat(Connection.token(named, "of-the-environment", usual)).isEqualTo("of-the-flag");
        assertThat(Connection.token(null, "of-the-environment", usual)).isEqualTo("of-the-environment");
        assertThat(Connection.token(null, null, usual)).isEqualTo("of-kv-up");
        assertThat(Connection.token(null, " ", usual)).isEqualTo("of-kv-up");
    }

    @Test
    void withoutATokenItIsSaidHowToHaveOne() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Connection.token(null, null, folder.resolve("none")))
                .withMessageContainingAll("KVSTORE_ADMIN_TOKEN", "--token-file");
    }

    @Test
    void aTokenIsNotShownWhenItCannotBeOne() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Connection.token(null, "two words", folder.resolve("none")))
                .withMessageContaining("KVSTORE_ADMIN_TOKEN")
                .withMessageNotContaining("two");
    }

    @Test
    void aFileThatIsNamedHasToBeThere() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Connection.token(folder.resolve("none"), "of-the-environment", folder))
                .withMessageContainingAll("--token-file", "none", "no such file");
    }
}
