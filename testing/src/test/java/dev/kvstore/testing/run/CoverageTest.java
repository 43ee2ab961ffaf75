package dev.kvstore.testing.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Coverage of a module with one class, whose test takes one of two ways through it. */
@Tag("slow")
class CoverageTest {
    private static final String CODE = """
            package dev.kvstore.sample;

            public class Sign {
                public static String of(int number) {
                    if (number < 0) {
                        return "minus";
                    }
                    return "plus";
                }
            }
            """;
    private static final String TEST = """
            package dev.kvstore.sample;

            class SignUse {
                @org.junit.jupiter.api.Test
                void isPlus() {
                    org.junit.jupiter.api.Assertions.assertEquals("plus", Sign.of(1));
                }
            }
            """;

    @TempDir
    Path root;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private Coverage coverage;

    @BeforeEach
    void compileAModule() throws Exception {
        Path classes = Files.createDirectories(root.resolve("signs/target/classes"));
        compile(classes, write("signs/src/main/java/dev/kvstore/sample/Sign.java", CODE));
        compile(classes, write("signs/target/generated-sources/dev/kvstore/sample/Generated.java", """
                package dev.kvstore.sample;

                class Generated {
                    int number;
                }
                """));
        compile(
                Files.createDirectories(root.resolve("signs/target/test-classes")),
                write("signs/src/test/java/dev/kvstore/sample/SignUse.java", TEST));
        coverage = Coverage.into(root.resolve("coverage"));
    }

    @Test
    void countsLinesAndBranchesOfCodeThatSomebodyWrote() throws Exception {
        runTheTest();

        // The class itself, the condition and two returns.
        assertThat(coverage.report(root.resolve("signs"))).isEqualTo(new CoveredCode(4, 2, 2, 1));
        assertThat(root.resolve("coverage/signs/dev.kvstore.sample/Sign.java.html"))
                .content()
                .contains("1 of 2 branches missed");
    }

    @Test
    void printsALineForEachModuleWithCode() throws Exception {
        runTheTest();
        Files.createDirectories(root.resolve("empty"));

        new CoverageReport(coverage, root).write(List.of("empty", "signs"), new PrintStream(printed, true, UTF_8));

        assertThat(printed.toString(UTF_8).lines().map(line -> line.strip().replaceAll(" +", " ")))
                .contains("signs 50.0 % of 4 lines 50.0 % of 2 branches", "all 50.0 % of 4 lines 50.0 % of 2 branches")
                .noneMatch(line -> line.startsWith("empty"));
        assertThat(root.resolve("coverage/modules.txt")).content().hasLineCount(2);
    }

    @Test
    void codeThatNoTestReachesIsNotCovered() throws Exception {
        assertThat(coverage.report(root.resolve("signs"))).isEqualTo(new CoveredCode(4, 0, 2, 0));
    }

    @Test
    void aRunForgetsTheOneBefore() throws Exception {
        runTheTest();

        assertThat(Coverage.into(root.resolve("coverage")).report(root.resolve("signs")))
                .isEqualTo(new CoveredCode(4, 0, 2, 0));
    }

    @Test
    void aReportThatCannotBeMadeSaysWhereToLook() throws Exception {
        write("coverage/jacoco.exec", "no data of JaCoCo");

        assertThatThrownBy(() -> coverage.report(root.resolve("signs")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("signs.log");
    }

    private void runTheTest() throws Exception {
        List<String> classPath = new ArrayList<>(
                List.of(root.resolve("signs/target/test-classes").toString()));
        classPath.add(root.resolve("signs/target/classes").toString());
        classPath.addAll(List.of(System.getProperty("java.class.path").split(File.pathSeparator)));
        TestModule module = new TestModule("signs", root, classPath, List.of());
        List<String> options = List.of("-Xmx64m", coverage.jvmOption());
        TestRun run = new TestRun(Lane.TEST, options, List.of(), root, 1, Duration.ofMinutes(5));
        Results results = new Results();
        RunProgress progress = new RunProgress(new PrintStream(printed, true, UTF_8), false, Stopwatch.start(), 1);
        Queue queue = new Queue(List.of(new TestUnit(module, List.of("dev.kvstore.sample.SignUse"), Duration.ZERO)));
        new Slots(run, queue, results, Timings.read(root.resolve("times")), progress).runAll();
        assertThat(results.passed()).as(printed.toString(UTF_8)).isEqualTo(1);
    }

    private static void compile(Path classes, Path source) {
        String classPath =
                classes.resolveSibling("classes") + File.pathSeparator + System.getProperty("java.class.path");
        int exitCode = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler())
                .run(null, null, null, "-proc:none", "-d", classes.toString(), "-cp", classPath, source.toString());
        assertThat(exitCode).isZero();
    }

    private Path write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        return Files.writeString(path, text);
    }
}
