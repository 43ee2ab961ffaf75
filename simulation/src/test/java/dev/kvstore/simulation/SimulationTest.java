package dev.kvstore.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each promise holds in each history; a history is the same each time; and a fault that breaks a promise is found. */
@Tag("slow")
final class SimulationTest {
    private static final int SLICE_SECONDS = 60;
    private static final int MANY = 1_000_000;

    /** Of the checkout: the tests run in the folder of their module. */
    private static final Path CHECKOUT = Path.of("..");

    @Test
    void noPromiseIsBrokenInTheFirstHistories() throws Exception {
        SimulationProcess simulation = SimulationProcess.run("run", 1, 300, SLICE_SECONDS);

        assertThat(simulation.exit()).as(simulation.said()).isZero();
    }

    /** Each day looks at other seeds; a failure prints the seed and its steps. */
    @Test
    void norInThoseOfTheDay() throws Exception {
        long first = LocalDate.now(ZoneOffset.UTC).toEpochDay() * MANY;

        SimulationProcess simulation = SimulationProcess.run("run", first, MANY, SLICE_SECONDS);

        System.out.println(simulation.said());
        assertThat(simulation.exit()).as(simulation.said()).isZero();
    }

    @Test
    void aSeedGivesTheSameHistoryInEachProcess() throws Exception {
        String one = SimulationProcess.run("digests", 1, 30).said();
        String other = SimulationProcess.run("digests", 11, 20).said();

        assertThat(one.lines().skip(10))
                .hasSize(20)
                .containsExactlyElementsOf(other.lines().toList());
    }

    @ParameterizedTest
    @CsvSource({
        "data-plane, block-is-acknowledged-and-never-logged.patch",
        "client-java, closed-client-goes-on-to-watch.patch"
    })
    void aPlantedBugIsFound(String module, String name, @TempDir Path folder) throws Exception {
        assumeTrue(hasGit(), "missing: git, which puts the bug into a copy of the sources");
        Path bugs = Files.createDirectories(folder.resolve("simulation/bugs"));
        Files.copy(
                CHECKOUT.resolve("simulation/bugs").resolve(name),
                bugs.resolve(name),
                StandardCopyOption.COPY_ATTRIBUTES);
        Files.createSymbolicLink(
                folder.resolve(module), CHECKOUT.resolve(module).toRealPath());

        SimulationProcess simulation = SimulationProcess.run("bugs", folder, 100, SLICE_SECONDS);

        assertThat(simulation.exit()).as(simulation.said()).isZero();
        assertThat(simulation.said()).contains("1 of 1 bugs found");
    }

    /** A patch that does not is of sources that have changed since: it finds nothing any more. */
    @Test
    void eachPlantedBugFitsTheSources() throws Exception {
        assumeTrue(hasGit(), "missing: git, which puts bugs into copies of the sources");
        List<String> unfit = new ArrayList<>();
        try (Stream<Path> patches = Files.list(CHECKOUT.resolve("simulation/bugs"))) {
            for (Path patch :
                    patches.filter(file -> file.toString().endsWith(".patch")).toList()) {
                int exit = new ProcessBuilder(
                                "git", "apply", "--check", patch.toRealPath().toString())
                        .directory(CHECKOUT.toFile())
                        .start()
                        .waitFor();
                if (exit != 0) {
                    unfit.add(patch.getFileName().toString());
                }
            }
        }
        assertThat(unfit).isEmpty();
    }

    private static boolean hasGit() throws InterruptedException {
        try {
            return new ProcessBuilder("git", "--version").start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
