package dev.kvstore.benchmark.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextsTest {
    @TempDir
    Path home;

    @Test
    void findsTheDocumentsOfARepositoryAndNobodyElses() throws Exception {
        Path readme = file("README.md", "# One");
        Path adr = file("docs/adr/0001.md", "# Two");
        file("docs/picture.svg", "<svg/>");
        file("launcher/target/azurite/node_modules/left/README.md", "foreign");
        file("launcher/node_modules/right/README.md", "foreign");
        file(".hidden/notes.md", "hidden");

        assertThat(Texts.documents(home)).containsExactly(readme, adr);
    }

    @Test
    void readsThemOneAfterTheOther() throws Exception {
        assertThat(Texts.read(List.of(file("a", "grün"), file("b", "blau")))).isEqualTo("grün\nblau\n");
    }

    @Test
    void namesAFileThatIsMissing() {
        assertThatThrownBy(() -> Texts.read(List.of(home.resolve("missing.txt"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("--text", "missing.txt");
    }

    @Test
    void namesAFileThatIsNoText() throws Exception {
        Path file = home.resolve("picture");
        Files.write(file, new byte[] {(byte) 0xFF, (byte) 0xFE, 0});

        assertThatThrownBy(() -> Texts.read(List.of(file)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("picture", "UTF-8");
    }

    @Test
    void namesTheFileThatIsTooMuch() throws Exception {
        Path huge = home.resolve("huge.txt");
        try (RandomAccessFile file = new RandomAccessFile(huge.toFile(), "rw")) {
            file.setLength(Texts.MAX_BYTES + 1);
        }

        assertThatThrownBy(() -> Texts.read(List.of(huge)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("huge.txt", "16 MiB");
    }

    @Test
    void refusesToTalkAboutNothing() throws Exception {
        Path file = file("empty", " \n");

        assertThatThrownBy(() -> Texts.read(List.of(file)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no text");
    }

    private Path file(String name, String content) throws Exception {
        Path file = home.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, content);
    }
}
