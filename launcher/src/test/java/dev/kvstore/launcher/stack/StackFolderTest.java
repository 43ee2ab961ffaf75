package dev.kvstore.launcher.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.PrivateFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StackFolderTest {
    @TempDir
    Path folder;

    @Test
    void keepsTheKeyOverRestarts() throws Exception {
        Random random = new Random(1);
        ApiKey first;
        try (StackFolder stack = StackFolder.take(folder)) {
            first = stack.key(random);
        }
        try (StackFolder stack = StackFolder.take(folder)) {
            assertThat(stack.key(random)).isEqualTo(first);
        }
    }

    @Test
    void keepsItsTokensOverRestartsForTheirOwnerOnly() throws Exception {
        Random random = new Random(1);
        JoinToken join = new JoinToken("kvj_0123456789ab_" + "s".repeat(43));
        JoinToken other = new JoinToken("kvj_ba9876543210_" + "t".repeat(43));
        try (StackFolder stack = StackFolder.take(folder)) {
            AccessToken admin = stack.adminToken(random);
            stack.keep(StackLayout.HOME, join);
            stack.keep("second", other);

            assertThat(admin.text()).matches("kva_[A-Za-z0-9_-]{43}");
            assertThat(stack.adminToken(random)).isEqualTo(admin);
            assertThat(stack.keptJoinToken(StackLayout.HOME)).isEqualTo(join);
            assertThat(stack.keptJoinToken("second")).isEqualTo(other);
            assertThat(stack.keptJoinToken("third")).isNull();
            assertThat(folder.resolve("admin-token")).hasContent(admin.text());
        }
        for (String file : new String[] {"admin-token", "join-token", "join-token-second"}) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(file))))
                    .isEqualTo("rw-------");
        }
        assertThat(join).hasToString("kvj_0123456789ab");
    }

    @Test
    void saysWhatToDoAboutADamagedToken() throws Exception {
        Files.writeString(folder.resolve("admin-token"), "nonsense");
        try (StackFolder stack = StackFolder.take(folder)) {
            assertThatThrownBy(() -> stack.adminToken(new Random(1)))
                    .isInstanceOf(LaunchException.class)
                    .hasMessageContainingAll("admin-token", "delete the file")
                    .hasMessageNotContaining("nonsense");
        }
    }

    @Test
    void aJoinTokenThatIsNoneIsMadeAnew() throws Exception {
        Files.writeString(folder.resolve("join-token"), "kva_of-an-earlier-version");
        try (StackFolder stack = StackFolder.take(folder)) {
            assertThat(stack.keptJoinToken(StackLayout.HOME)).isNull();
        }
    }

    @Test
    void tokensStayOutOfLogs() {
        AccessToken token = AccessToken.generate(new Random(1));

        assertThat(token.toString()).doesNotContain(token.text().substring(4));
    }

    @Test
    void belongsToOneStackAtATime() throws Exception {
        try (StackFolder stack = StackFolder.take(folder)) {
            assertThat(stack.accounts()).startsWithRaw(folder);
            assertThatThrownBy(() -> StackFolder.take(folder))
                    .isInstanceOf(LaunchException.class)
                    .hasMessageContainingAll("another stack", folder.toString(), "--data");
        }
    }

    @Test
    void saysWhatToDoAboutADamagedKey() throws Exception {
        Files.writeString(folder.resolve("api-key"), "nonsense");
        try (StackFolder stack = StackFolder.take(folder)) {
            assertThatThrownBy(() -> stack.key(new Random(1)))
                    .isInstanceOf(LaunchException.class)
                    .hasMessageContainingAll("api-key", "delete the file");
        }
    }

    @Test
    void secretsAreForTheirOwnerOnly() throws Exception {
        Path file = folder.resolve("made/secret");
        PrivateFile.write(file, "first");
        PrivateFile.write(file, "second");

        assertThat(file).hasContent("second");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(file.getParent()).isDirectoryNotContaining("glob:**.tmp");
    }
}
