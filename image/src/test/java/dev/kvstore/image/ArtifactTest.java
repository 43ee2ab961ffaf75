package dev.kvstore.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArtifactTest {
    @TempDir
    Path folder;

    @Test
    void readsTheListThatMavenWrites() throws Exception {
        Path list = Files.writeString(folder.resolve("runtime-artifacts.txt"), """

                The following files have been resolved:
                   org.postgresql:postgresql:jar:42.7.8:compile -- module org.postgresql.jdbc
                   io.netty:netty-transport-native-epoll:jar:linux-x86_64:4.1.130.Final:runtime
                   org.example:whole:pom:1.0:compile

                """);

        assertThat(Artifact.read(list))
                .containsExactly(
                        new Artifact("org.postgresql", "postgresql", "", "42.7.8"),
                        new Artifact("io.netty", "netty-transport-native-epoll", "linux-x86_64", "4.1.130.Final"));
    }

    @Test
    void aMissingListIsNamedWithTheWayOut() {
        assertThatExceptionOfType(ImageException.class)
                .isThrownBy(() -> Artifact.read(folder.resolve("none.txt")))
                .withMessageContainingAll("none.txt is missing", "build again");
    }
}
