package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.Program;
import dev.kvstore.launcher.stack.ControlPorts;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code kv train} makes is used; what is wrong with it costs time and nothing else. */
class AotCacheIT {
    @TempDir
    Path folder;

    @Test
    void bothProgramsRunFromTheirCaches() throws Exception {
        for (Program program : Program.values()) {
            Path jar = program.jar(Home.current());
            assertThat(program.command(jar, List.of())).contains("-XX:AOTCache=" + Program.cache(jar));
        }
        // With this java ends at once where it cannot use the cache it is given.
        List<String> must = List.of("-XX:AOTMode=on");
        StackOptions options = StackOptions.onFreePorts(Home.current(), folder)
                .withDataPlanes(1)
                .withControlPlane(ControlPorts.FREE)
                .withJvm(Map.of(Program.DATA_PLANE, must, Program.CONTROL_PLANE, must));

        try (LocalStack stack = LocalStack.start(options, new Random())) {
            assertThat(stack.dataPlane(0).process().isAlive()).isTrue();
        }
    }

    @Test
    void aCacheThatIsDamagedOnlyCostsTime() throws Exception {
        Path jar = Program.DATA_PLANE.jar(Home.current());
        Path copy = folder.resolve("home/data-plane/target").resolve(jar.getFileName());
        Files.createDirectories(copy.getParent());
        // As old as it is, so that the cache is younger.
        Files.copy(jar, copy, StandardCopyOption.COPY_ATTRIBUTES);
        Files.writeString(Program.cache(copy), "no cache");
        StackOptions options = StackOptions.onFreePorts(new Home(folder.resolve("home")), folder.resolve("stack"))
                .withDataPlanes(1);

        try (LocalStack stack = LocalStack.start(options, new Random())) {
            assertThat(stack.dataPlane(0).process().log()).content().contains("AOT");
        }
    }
}
