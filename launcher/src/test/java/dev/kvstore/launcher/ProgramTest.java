package dev.kvstore.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ProgramTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource
    void isStartedWithTheCommonFlagsThenItsOwnThenTheCallers(Program program) {
        List<String> command = program.command(Path.of("program.jar"), List.of("-Xmx1g"));

        assertThat(command)
                .containsAll(JvmOptions.common())
                .containsSubsequence("-XX:+ExitOnOutOfMemoryError", "-Xmx1g", "-jar", "program.jar")
                .endsWith("program.jar");
    }

    @Test
    void isStartedWithoutACacheThatIsNotThere() {
        List<String> command = Program.DATA_PLANE.command(folder.resolve("a.jar"), List.of());

        assertThat(command).noneMatch(flag -> flag.startsWith("-XX:AOTCache"));
    }

    @ParameterizedTest
    @CsvSource({"0, true", "1, false", "-1, false"})
    void isStartedFromACacheThatHasTheFileTimeOfTheJar(int seconds, boolean used) throws Exception {
        Path jar = Files.createFile(folder.resolve("a.jar"));
        Path cache = Files.createFile(folder.resolve("a.aot"));
        Files.setLastModifiedTime(
                cache, FileTime.from(Files.getLastModifiedTime(jar).toInstant().plusSeconds(seconds)));

        List<String> command = Program.CONTROL_PLANE.command(jar, List.of());

        assertThat(command.contains("-XX:AOTCache=" + cache)).isEqualTo(used);
    }

    @ParameterizedTest
    @EnumSource
    void saysThatItIsNotBuilt(Program program) {
        assertThatThrownBy(() -> program.jar(new Home(folder)))
                .isInstanceOf(LaunchException.class)
                .hasMessageContainingAll("the " + program.title() + " is not built", "run ./kv");
    }
}
