package dev.kvstore.benchmark.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@link Commit}, asked of a repository of its own. */
class CommitTest {
    @TempDir
    Path folder;

    @Test
    void namesTheCommitThatIsCheckedOut() throws Exception {
        commit();

        assertThat(Commit.of(folder)).matches("[0-9a-f]{12}");
    }

    @Test
    void tellsOfChangesSince() throws Exception {
        commit();
        Files.writeString(folder.resolve("file"), "changed");

        assertThat(Commit.of(folder)).matches("[0-9a-f]{12}, with changes");
    }

    @Test
    void aCopyWithoutHistoryHasNone() throws Exception {
        commit();
        Path copy = Files.createDirectory(folder.resolve("copy"));

        assertThat(Commit.of(copy)).isNull();
    }

    private void commit() throws Exception {
        Files.writeString(folder.resolve("file"), "content");
        git("init", "-q");
        git("add", "file");
        git("-c", "user.name=test", "-c", "user.email=test@example.com", "commit", "-q", "-m", "first");
    }

    private void git(String... arguments) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("git")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.command().addAll(List.of(arguments));
        builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
        assertThat(builder.start().waitFor()).as("git %s", List.of(arguments)).isZero();
    }
}
