package dev.kvstore.testing.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs tests of built modules: the Java half of {@code kv check} and {@code kv test}. */
@Command(name = "kv test", description = "Runs tests of built modules")
public final class Tests implements Callable<Integer> {
    private static final int FAILED = 1;

    @Option(names = "--root", required = true, description = "The checkout")
    private Path root = Path.of("");

    @Option(names = "--lane", required = true, description = "Which tests: ${COMPLETION-CANDIDATES}")
    private Lane lane = Lane.TEST;

    @Option(names = "--only", description = "Classes to run, * for any letters, as in *TierTest")
    private String only = "*";

    // Two cores get three JVMs: a test waits half of its time.
    @Option(names = "--slots", description = "JVMs at a time; by default one more than half the processors, 3 to 8")
    private int slots = Math.clamp(Runtime.getRuntime().availableProcessors() / 2 + 1, 3, 8);

    @Option(names = "--silence", description = "Seconds without a sign of life after which a test JVM is given up")
    private int silenceSeconds = 600;

    @Option(names = "--coverage", description = "Report which lines and branches the tests went through")
    private boolean coverage;

    @Option(names = "--terminal", description = "Show progress in one line that is written again and again")
    private boolean terminal;

    @Parameters(paramLabel = "MODULE", description = "Folders of modules")
    private List<String> modules = List.of();

    private Tests() {}

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Tests())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Stopwatch since = Stopwatch.start();
        Path folder = root.toAbsolutePath().normalize();
        Path reports = folder.resolve("target/tests");
        empty(reports);
        Timings timings = Timings.read(folder.resolve("target/test-times.txt"));
        List<String> jvmOptions = new ArrayList<>(jvmOptions(folder));
        Optional<Coverage> covered =
                coverage ? Optional.of(Coverage.into(folder.resolve("target/coverage"))) : Optional.empty();
        covered.ifPresent(by -> jvmOptions.add(by.jvmOption()));
        TestRun run =
                new TestRun(lane, jvmOptions, workerClassPath(), reports, slots, Duration.ofSeconds(silenceSeconds));
        List<TestUnit> units = new ArrayList<>();
        for (String name : modules) {
            units.addAll(units(TestModule.read(folder.resolve(name)), timings));
        }
        int classes = units.stream().mapToInt(unit -> unit.classes().size()).sum();
        Results results = new Results();
        RunProgress progress = new RunProgress(System.out, terminal, since, classes);
        new Slots(run, new Queue(units), results, timings, progress).runAll();
        progress.close();
        timings.write();
        if (covered.isPresent()) {
            new CoverageReport(covered.get(), folder).write(modules, System.out);
        }
        new Summary(results, folder.relativize(reports), since.elapsed()).print(System.out);
        return results.isGood() ? CommandLine.ExitCode.OK : FAILED;
    }

    private List<TestUnit> units(TestModule module, Timings timings) throws IOException {
        Pattern wanted = Pattern.compile("(.*\\.)?" + Pattern.quote(only).replace("*", "\\E.*\\Q"));
        List<String> classes = module.classes().stream()
                .filter(lane::takes)
                .filter(name -> wanted.matcher(name).matches())
                .toList();
        return module.inUnits(classes).stream()
                .map(of -> new TestUnit(
                        module, of, of.stream().map(timings::expected).reduce(Duration.ZERO, Duration::plus)))
                .toList();
    }

    /** The JVM options of every program, and those of tests. */
    private static List<String> jvmOptions(Path root) {
        return List.of(
                "@" + root.resolve("launcher/src/main/resources/dev/kvstore/launcher/jvm.options"),
                // A test runs its code too rarely to profit from the optimising compiler.
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx1g",
                "-XX:MaxDirectMemorySize=3g",
                "-Dkvstore.home=" + root);
    }

    /**
     * The class path of a worker: this module's own classes and JUnit's launcher; the tests of a module have the rest.
     */
    private static List<String> workerClassPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(java.io.File.pathSeparator))
                .filter(entry -> Path.of(entry).endsWith("testing/target/classes")
                        || entry.matches(".*junit-platform-(launcher|reporting)-[^/]*\\.jar"))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .toList();
    }

    private static void empty(Path folder) throws IOException {
        Files.createDirectories(folder);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
