package dev.kvstore.testing.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * The JVM that runs tests of one module. Each line of standard input names the classes of a unit; events go to standard
 * output, and the output of tests to a file per unit.
 */
public final class Worker {
    private Worker() {}

    /**
     * Runs units until standard input ends.
     *
     * @param arguments the lane, then the folder for the output of tests
     */
    public static void main(String[] arguments) throws IOException {
        List<String> excluded = Lane.valueOf(arguments[0]).excludedTags();
        Path reports = Path.of(arguments[1]);
        // Tests get System.out for themselves.
        PrintStream events = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);
        BufferedReader units = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        int exitCode = 0;
        try (LauncherSession session = LauncherFactory.openSession()) {
            for (String line = units.readLine(); line != null; line = units.readLine()) {
                List<String> classes = Arrays.asList(line.split(" "));
                run(session, classes, excluded, reports.resolve(classes.getFirst() + ".txt"), events);
                events.println(new Event.UnitEnded().line());
            }
        } catch (Throwable e) {
            // JUnit rethrows an OutOfMemoryError of a test.
            e.printStackTrace();
            exitCode = 1;
        }
        // A test may have left threads behind.
        System.exit(exitCode);
    }

    private static void run(
            LauncherSession session, List<String> classes, List<String> excluded, Path report, PrintStream events)
            throws IOException {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(classes.stream()
                        .map(name -> (DiscoverySelector) DiscoverySelectors.selectClass(name))
                        .toList())
                .filters(excluded.isEmpty() ? TagFilter.excludeTags("none") : TagFilter.excludeTags(excluded))
                // Properties report to the listener, which counts their cases, also those that pass.
                .configurationParameter("jqwik.reporting.usejunitplatform", "true")
                .configurationParameter("jqwik.reporting.onlyfailures", "false")
                .build();
        PrintStream out = System.out;
        PrintStream err = System.err;
        try (PrintStream printed = new PrintStream(Files.newOutputStream(report), true, UTF_8)) {
            System.setOut(printed);
            System.setErr(printed);
            session.getLauncher().execute(request, new JUnitListener(event -> events.println(event.line())));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }
}
