package dev.kvstore.launcher.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvstore.launcher.LaunchException;
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
        try (StackFolder stack = StackFolder.take(folder)) {
            AccessToken admin = stack.adminToken(random);
            AccessToken join = stack.joinToken(random);

            assertThat(admin.text()).matches("kva_[A-Za-z0-9_-]{43}").isNotEqualTo(join.text());
            assertThat(stack.adminToken(random)).isEqualTo(admin);
            assertThat(stack.joinToken(random)).isEqualTo(join);
            assertThat(folder.resolve("admin-token")).hasContent(admin.text());
        }
        for (String file : new String[] {"admin-token", "join-token"}) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(file))))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void saysWhatToDoAboutADamagedToken() throws Exception {
        Files.writeString(folder.resolve("join-token"), "nonsense");
        try (StackFolder stack = StackFolder.take(folder)) {
            assertThatThrownBy(() -> stack.joinToken(new Random(1)))
                    .isInstanceOf(LaunchException.class)
                    .hasMessageContainingAll("join-token", "delete the file")
                    .hasMessageNotContaining("nonsense");
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
