package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

/** A key of gpg for this JVM, in a folder of its own below the one for temporary files, whose path is short enough. */
final class SigningKey {
    private static final class Keys {
        private static final Path HOME = make();
    }

    private SigningKey() {}

    /** Whether gpg is on the PATH. */
    static boolean canBe() {
        return GoTool.isOnPath("gpg");
    }

    /** With this, gpg knows the key and no other. */
    static Map<String, String> environment() {
        return canBe() ? Map.of("GNUPGHOME", Keys.HOME.toString()) : Map.of();
    }

    /** gpg's words on a file's signature. */
    static String verify(Path file) throws IOException, InterruptedException {
        return GoTool.run(Keys.HOME, environment(), List.of("gpg", "--verify", file + ".asc", file.toString()));
    }

    private static Path make() {
        try {
            Path home = Files.createTempDirectory(
                    "gpg-", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            Map<String, String> environment = Map.of("GNUPGHOME", home.toString());
            List<String> key = List.of(
                    "gpg",
                    "--batch",
                    "--passphrase",
                    "",
                    "--quick-gen-key",
                    "test@example.com",
                    "ed25519",
                    "sign",
                    "1d");
            assertThat(GoTool.run(home, environment, key)).doesNotContain("exit code");
            // Without its folder gpg's agent ends.
            Runtime.getRuntime().addShutdownHook(new Thread(() -> PublishedClient.delete(home), "delete-key"));
            return home;
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
