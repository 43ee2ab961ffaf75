package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.Program;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cache that {@code kv train} makes is used; a wrong cache costs time and nothing else. */
class AotCacheIT {
    private static final long PATIENCE_SECONDS = 60;

    @TempDir
    Path folder;

    @Test
    void bothProgramsRunFromTheirCaches() throws Exception {
        for (Program program : Program.values()) {
            Path jar = program.jar(Home.current());
            // With this java ends at once where it cannot use the cache it is given.
            List<String> command = new ArrayList<>(program.command(jar, List.of("-XX:AOTMode=on")));
            assertThat(command).contains("-XX:AOTCache=" + Program.cache(jar));
            command.add("--version");
            Path log = folder.resolve(program + ".log");
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(Files.readString(log)).isZero();
            assertThat(log).content().contains("KV Store ");
        }
    }

    @Test
    void aCacheThatIsDamagedOnlyCostsTime() throws Exception {
        Path jar = Program.DATA_PLANE.jar(Home.current());
        Path copy = folder.resolve("home/data-plane/target").resolve(jar.getFileName());
        Files.createDirectories(copy.getParent());
        Files.copy(jar, copy);
        Files.writeString(Program.cache(copy), "no cache");
        Program.adopt(Program.cache(copy), copy);
        StackOptions options = StackOptions.onFreePorts(new Home(folder.resolve("home")), folder.resolve("stack"))
                .withDataPlanes(1);

        try (LocalStack stack = LocalStack.start(options, new Random())) {
            assertThat(stack.dataPlane(0).process().log()).content().contains("AOT");
        }
    }

    @Test
    void aCopyWithAnotherFileTimeStartsWithoutAWord() throws Exception {
        Path jar = Program.DATA_PLANE.jar(Home.current());
        Path copy = Files.copy(jar, folder.resolve(jar.getFileName()));
        Files.copy(Program.cache(jar), Program.cache(copy));
        List<String> command = new ArrayList<>(Program.DATA_PLANE.command(copy, List.of()));
        command.add("--version");
        Path err = folder.resolve("copy.err");

        Process process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(err.toFile())
                .start();

        assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(err).content().isEmpty();
    }
}
