package dev.kvstore.testing.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The runner, with JVMs that run sample classes. */
@Tag("slow")
class SlotsTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    @TempDir
    Path folder;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @Test
    void countsWhatPassesAndKeepsWhatItPrints() throws Exception {
        Results results = run(Lane.TEST, LONG, Samples.Passing.class);

        assertThat(results.passed()).isEqualTo(2);
        assertThat(results.isGood()).isTrue();
        assertThat(folder.resolve(Samples.Passing.class.getName() + ".txt"))
                .content()
                .contains("one was here");
    }

    @Test
    void goesOnAfterAFailure() throws Exception {
        Results results = run(Lane.TEST, LONG, Samples.Failing.class, Samples.Passing.class);

        assertThat(results.passed()).isEqualTo(3);
        assertThat(results.isGood()).isFalse();
        assertThat(results.failures())
                .extracting(Event.Failed::test, Event.Failed::reason)
                .containsExactly(tuple("fails()", "the sample's reason"));
        assertThat(printed.toString(StandardCharsets.UTF_8)).contains("FAILED", "the sample's reason");
    }

    @Test
    void failsAClassThatEndsItsJvmAndRunsTheNextInANewOne() throws Exception {
        Results results = run(Lane.TEST, LONG, Samples.Halting.class, Samples.Passing.class);

        assertThat(results.passed()).isEqualTo(2);
        assertThat(results.failures())
                .singleElement()
                .satisfies(failure -> assertThat(failure.reason()).isEqualTo("its JVM ended with exit code 77"));
    }

    @Test
    void failsAClassOfWhichJUnitHandsOnAnErrorWhateverItLeavesBehind() throws Exception {
        Results results = run(Lane.TEST, LONG, Samples.OutOfMemory.class, Samples.Passing.class);

        assertThat(results.passed()).isEqualTo(2);
        assertThat(results.failures())
                .singleElement()
                .satisfies(failure -> assertThat(failure.reason()).isEqualTo("its JVM ended with exit code 1"));
    }

    @Test
    void failsAClassThatSaysNothingForTooLongWithItsThreads() throws Exception {
        Results results = run(Lane.TEST, Duration.ofSeconds(10), Samples.Hanging.class, Samples.Passing.class);

        assertThat(results.passed()).isEqualTo(2);
        assertThat(results.failures())
                .singleElement()
                .satisfies(
                        failure -> assertThat(failure.reason()).contains("nothing was heard for 10 s", ".threads.txt"));
        assertThat(folder.resolve(Samples.Hanging.class.getName() + ".failures.txt"))
                .content()
                .contains("nothing was heard for 10 s");
        assertThat(folder.resolve(Samples.Hanging.class.getName() + ".threads.txt"))
                .content()
                .as("the thread of the test, and the virtual one that it waits for")
                .contains("hangsHere", "waitsHere");
    }

    @Test
    void acceptsASkipThatSaysWhatIsMissing() throws Exception {
        Results results = run(Lane.TEST, LONG, Samples.SkippedWithReason.class);

        assertThat(results.skips())
                .singleElement()
                .satisfies(skip -> assertThat(skip.reasonOrSilence()).isEqualTo("no browser is installed"));
        assertThat(results.isGood()).isTrue();
    }

    @Test
    void failsARunWithASkipThatDoesNot() throws Exception {
        Results results = run(Lane.TEST, LONG, Samples.SkippedInSilence.class);

        assertThat(results.isGood()).isFalse();
    }

    @Test
    void runsSlowTestsWhenAllThatMustHoldIsAskedFor() throws Exception {
        assertThat(run(Lane.CHECK, LONG, Samples.Tagged.class).passed()).isEqualTo(1);
        assertThat(run(Lane.TEST, LONG, Samples.Tagged.class).passed()).isEqualTo(2);
        assertThat(run(Lane.FULL, LONG, Samples.Tagged.class).passed()).isEqualTo(3);
    }

    private Results run(Lane lane, Duration silence, Class<?>... classes) throws Exception {
        List<String> classPath = List.of(System.getProperty("java.class.path").split(File.pathSeparator));
        TestModule module = new TestModule("samples", folder, classPath, List.of());
        List<TestUnit> units = new ArrayList<>();
        for (int at = 0; at < classes.length; at++) {
            // The first is the longest, so it begins first.
            units.add(new TestUnit(module, List.of(classes[at].getName()), Duration.ofSeconds(classes.length - at)));
        }
        Results results = new Results();
        TestRun run = new TestRun(lane, List.of("-Xmx64m"), List.of(), folder, 1, silence);
        RunProgress progress = new RunProgress(
                new PrintStream(printed, true, StandardCharsets.UTF_8), false, Stopwatch.start(), classes.length);
        new Slots(run, new Queue(units), results, Timings.read(folder.resolve("times")), progress).runAll();
        assertThat(Files.exists(folder.resolve("samples-1.log"))).isTrue();
        return results;
    }
}
