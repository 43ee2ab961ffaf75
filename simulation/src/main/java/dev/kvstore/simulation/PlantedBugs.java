package dev.kvstore.simulation;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * Bugs that were put into the product, each by a patch in {@code simulation/bugs}: how many seeds it takes to find
 * them. Needs {@code git} and the sources.
 */
final class PlantedBugs {
    private static final String CHANGED = "+++ b/";

    /** A history that goes on for so long never ends. */
    private static final Duration LONGEST = Duration.ofMinutes(2);

    private final Path checkout;
    private final PrintStream out;

    PlantedBugs(Path checkout, PrintStream out) {
        this.checkout = checkout;
        this.out = out;
    }

    /**
     * Looks for each bug.
     *
     * @param names of the bugs; none for all
     * @param seeds most for each
     * @param atMost no history of a bug begins later; one that never ends has found a bug, too
     * @return whether all were found
     */
    boolean find(List<String> names, long seeds, Duration atMost) throws IOException, InterruptedException {
        List<Path> patches;
        try (Stream<Path> files = Files.list(checkout.resolve("simulation/bugs"))) {
            patches = files.filter(file -> file.toString().endsWith(".patch"))
                    .filter(file -> names.isEmpty() || names.contains(name(file)))
                    .sorted()
                    .toList();
        }
        List<Long> found = new ArrayList<>();
        for (Path patch : patches) {
            long began = System.nanoTime();
            Search search = search(patch, seeds, atMost);
            out.printf(
                    "%-55s %s%d, %d s%n",
                    name(patch),
                    search.isFound ? "seed " : "not found by seed ",
                    search.last,
                    (System.nanoTime() - began) / 1_000_000_000);
            if (search.isFound) {
                found.add(search.last);
            }
        }
        found.sort(null);
        out.printf(
                "%d of %d bugs found%s%n",
                found.size(),
                patches.size(),
                found.isEmpty() ? "" : ", half of those by seed " + found.get((found.size() - 1) / 2));
        return found.size() == patches.size();
    }

    private static String name(Path patch) {
        return String.valueOf(patch.getFileName()).replace(".patch", "");
    }

    /** @param last the seed of the last history */
    private record Search(boolean isFound, long last) {}

    private Search search(Path patch, long seeds, Duration atMost) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("kv-bug-");
        try {
            String path = compiled(patch, folder) + File.pathSeparator + System.getProperty("java.class.path");
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
            command.addAll(List.of("-cp", path, Simulate.class.getName(), "first", "1", Long.toString(seeds)));
            command.add(Long.toString(atMost.toSeconds()));
            Path told = folder.resolve("told");
            Process child = new ProcessBuilder(command)
                    .redirectOutput(told.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            boolean ended = child.waitFor(atMost.plus(LONGEST).toMillis(), TimeUnit.MILLISECONDS);
            child.destroyForcibly().waitFor();
            List<String> lines = Files.readAllLines(told);
            long last = lines.isEmpty() ? 0 : Long.parseLong(lines.getLast());
            return new Search(!ended || child.exitValue() != 0, last);
        } finally {
            delete(folder);
        }
    }

    private Path compiled(Path patch, Path folder) throws IOException, InterruptedException {
        List<String> words =
                new ArrayList<>(List.of("-nowarn", "-proc:none", "-cp", System.getProperty("java.class.path")));
        Path classes = Files.createDirectory(folder.resolve("classes"));
        words.addAll(List.of("-d", classes.toString()));
        for (String line : Files.readAllLines(patch)) {
            if (line.startsWith(CHANGED)) {
                String name = line.substring(CHANGED.length());
                Path copy = folder.resolve(name);
                Files.createDirectories(copy.getParent());
                Files.copy(checkout.resolve(name), copy);
                words.add(copy.toString());
            }
        }
        Process git = new ProcessBuilder(
                        "git",
                        "apply",
                        "--recount",
                        "--whitespace=nowarn",
                        patch.toAbsolutePath().toString())
                .directory(folder.toFile())
                .inheritIO()
                .start();
        if (git.waitFor() != 0) {
            throw new IOException(patch + " does not fit the sources any more");
        }
        if (ToolProvider.getSystemJavaCompiler().run(null, null, null, words.toArray(String[]::new)) != 0) {
            throw new IOException(patch + " does not compile");
        }
        return classes;
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
