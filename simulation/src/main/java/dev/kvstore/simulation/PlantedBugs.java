package dev.kvstore.simulation;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Counts the seeds that it takes to find planted bugs, each of which is a patch in {@code simulation/bugs}. The count
 * needs {@code git} and the sources.
 */
final class PlantedBugs {
    private static final String PATCH = ".patch";

    /** A patch has this line before its first file if only histories with control planes can find its bug. */
    private static final String CONTROLLED = "Histories with control planes.";

    /** The word for all seeds, in place of {@link SeedRange#CONTROLLED}. */
    private static final String ALL = "all";

    private final Path checkout;
    private final PrintStream out;

    PlantedBugs(Path checkout, PrintStream out) {
        this.checkout = checkout;
        this.out = out;
    }

    /**
     * The result of the search for a bug.
     *
     * @param why the broken promise, as far as it is known; null if the bug is not found
     * @param seed the seed of the last history
     * @param histories the number of histories that were run
     */
    private record BugResult(String name, @Nullable String why, long seed, long histories) {}

    /** The limits of the search for one bug. */
    private record SearchLimits(long seeds, Duration time, String which) {
        /** The command line of another process: the given words, then these limits. */
        List<String> words(String... before) {
            List<String> words = new ArrayList<>(List.of(before));
            words.addAll(List.of(Long.toString(seeds), Long.toString(time.toSeconds()), which));
            return words;
        }
    }

    /**
     * Looks for each bug.
     *
     * @param names the names of the bugs; empty for all bugs
     * @param seeds the most seeds for each bug
     * @param atMost no history of a bug begins later; a history that never ends has found a bug, too
     * @return whether all bugs were found
     */
    boolean find(List<String> names, long seeds, Duration atMost)
            throws IOException, InterruptedException, ReflectiveOperationException {
        Path folder = Files.createTempDirectory("kv-bugs-");
        List<BugResult> results = new ArrayList<>();
        try {
            List<Path> patches = compile(names, folder);
            for (String which : List.of(ALL, SeedRange.CONTROLLED)) {
                Deque<String> left = new ArrayDeque<>();
                for (Path patch : patches) {
                    if (which.equals(which(patch))) {
                        left.add(name(patch));
                    }
                }
                while (!left.isEmpty()) {
                    search(left, folder, new SearchLimits(seeds, atMost, which), results);
                }
            }
        } finally {
            delete(folder);
        }
        List<Long> found = results.stream()
                .filter(result -> result.why != null)
                .map(BugResult::histories)
                .sorted()
                .toList();
        out.printf(
                "%d of %d bugs found%s%n",
                found.size(),
                results.size(),
                found.isEmpty()
                        ? ""
                        : ", half of those by history " + found.get((found.size() - 1) / 2) + ", all by history "
                                + found.getLast());
        return found.size() == results.size();
    }

    private List<Path> compile(List<String> names, Path folder) throws IOException, InterruptedException {
        List<Path> patches;
        try (Stream<Path> files = Files.list(checkout.resolve("simulation/bugs"))) {
            patches = files.filter(file -> file.toString().endsWith(PATCH))
                    .filter(file -> names.isEmpty() || names.contains(name(file)))
                    .sorted()
                    .toList();
        }
        BugCompiler compiler = new BugCompiler(checkout);
        for (Path patch : patches) {
            compiler.compile(patch, folder.resolve("sources").resolve(name(patch)), folder.resolve(name(patch)));
        }
        return patches;
    }

    private static String which(Path patch) throws IOException {
        return Files.readAllLines(patch).contains(CONTROLLED) ? SeedRange.CONTROLLED : ALL;
    }

    private static String name(Path patch) {
        return String.valueOf(patch.getFileName()).replace(PATCH, "");
    }

    /** Looks for one bug after the other in one process, until a history never ends and so has found a bug. */
    private void search(Deque<String> left, Path folder, SearchLimits limits, List<BugResult> results)
            throws IOException, InterruptedException {
        List<String> words = limits.words("plant", folder.toString());
        words.addAll(left);
        try (BugProcess process = BugProcess.start(agent(folder), System.getProperty("java.class.path"), words)) {
            long seed = 0;
            long histories = 0;
            for (String line = process.line(); line != null; line = process.line()) {
                if (line.startsWith(BugSearch.BUG)) {
                    histories = 0;
                } else if (line.startsWith(BugSearch.SEED)) {
                    seed = Long.parseLong(line.substring(BugSearch.SEED.length()));
                    histories++;
                } else if (line.startsWith(BugSearch.FOUND)) {
                    String why = line.substring(BugSearch.FOUND.length());
                    add(new BugResult(left.remove(), why, seed, histories), results);
                } else if (line.equals(BugSearch.LOST)) {
                    add(new BugResult(left.remove(), null, seed, histories), results);
                } else if (line.equals(BugSearch.REFUSED)) {
                    String name = left.remove();
                    add(alone(name, folder.resolve(name), limits), results);
                }
            }
            if (process.hangs()) {
                add(new BugResult(left.remove(), "it never ends", seed, histories), results);
            } else if (!left.isEmpty()) {
                // The JVM itself breaks now and then when a class is redefined once more.
                String name = left.remove();
                add(alone(name, folder.resolve(name), limits), results);
            }
        }
    }

    /** Looks for a bug in a process of its own, which is slower. */
    private static BugResult alone(String name, Path classes, SearchLimits limits)
            throws IOException, InterruptedException {
        String path = classes + File.pathSeparator + System.getProperty("java.class.path");
        try (BugProcess process = BugProcess.start(null, path, limits.words("first", "1"))) {
            long seed = 0;
            long histories = 0;
            for (String line = process.line(); line != null; line = process.line()) {
                seed = Long.parseLong(line);
                histories++;
            }
            return new BugResult(name, process.hasFailed() ? "a promise is broken" : null, seed, histories);
        }
    }

    private void add(BugResult result, List<BugResult> results) {
        results.add(result);
        out.printf(
                "%-50s %sseed %d, history %d%s%n",
                result.name,
                result.why == null ? "not found by " : "",
                result.seed,
                result.histories,
                result.why == null ? "" : ": " + result.why);
    }

    /** Makes a jar whose manifest names {@link BugAgent}. */
    private static Path agent(Path folder) throws IOException {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue("Premain-Class", BugAgent.class.getName());
        attributes.putValue("Can-Redefine-Classes", "true");
        Path jar = folder.resolve("agent.jar");
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
        return jar;
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
