package dev.kvstore.dataplane.account.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JoinTokenTest {
    private static final Map<String, String> GIVEN = Map.of(JoinToken.VARIABLE, "of-the-environment");

    @TempDir
    private Path folder;

    @Test
    void itIsInTheEnvironmentOrInAFile() throws IOException {
        Path file = Files.writeString(folder.resolve("token"), "of-a-file\n");

        assertThat(JoinToken.read(Optional.empty(), GIVEN)).contains(new JoinToken("of-the-environment"));
        assertThat(JoinToken.read(Optional.of(file), Map.of())).contains(new JoinToken("of-a-file"));
    }

    @Test
    void thereMayBeNone() {
        assertThat(JoinToken.read(Optional.empty(), Map.of())).isEmpty();
    }

    @Test
    void twoAreOneTooMany() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JoinToken.read(Optional.of(folder.resolve("token")), GIVEN))
                .withMessage("--join-token-file: KVSTORE_JOIN_TOKEN is set too; give one of them");
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        Path file = folder.resolve("token");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> JoinToken.read(Optional.of(file), Map.of()))
                .withMessage("--join-token-file: " + file + " cannot be read");
    }

    @Test
    void whatIsNoTokenIsRefusedAndNotQuoted() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JoinToken.read(Optional.empty(), Map.of(JoinToken.VARIABLE, "two words")))
                .withMessageContaining("KVSTORE_JOIN_TOKEN")
                .withMessageNotContaining("two words");
    }

    @Test
    void itsTextIsNoSecret() {
        assertThat(new JoinToken("secret")).hasToString("JoinToken");
    }
}
