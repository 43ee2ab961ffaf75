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

/**
 * Bugs that were put into the product, each by a patch in {@code simulation/bugs}: how many seeds it takes to find
 * them. Needs {@code git} and the sources.
 */
final class PlantedBugs {
    private static final String PATCH = ".patch";

    private final Path checkout;
    private final PrintStream out;

    PlantedBugs(Path checkout, PrintStream out) {
        this.checkout = checkout;
        this.out = out;
    }

    /** How the search for a bug ended, and the seed of its last history. */
    private record BugResult(String name, boolean isFound, long seed) {}

    /**
     * Looks for each bug.
     *
     * @param names of the bugs; none for all
     * @param seeds most for each
     * @param atMost no history of a bug begins later; one that never ends has found a bug, too
     * @return whether all were found
     */
    boolean find(List<String> names, long seeds, Duration atMost)
            throws IOException, InterruptedException, ReflectiveOperationException {
        Path folder = Files.createTempDirectory("kv-bugs-");
        List<BugResult> results = new ArrayList<>();
        try {
            Deque<String> left = new ArrayDeque<>(compile(names, folder));
            while (!left.isEmpty()) {
                search(left, folder, seeds, atMost, results);
            }
        } finally {
            delete(folder);
        }
        List<Long> found = results.stream()
                .filter(BugResult::isFound)
                .map(BugResult::seed)
                .sorted()
                .toList();
        out.printf(
                "%d of %d bugs found%s%n",
                found.size(),
                results.size(),
                found.isEmpty()
                        ? ""
                        : ", half of those by seed " + found.get((found.size() - 1) / 2) + ", all by seed "
                                + found.getLast());
        return found.size() == results.size();
    }

    private List<String> compile(List<String> names, Path folder) throws IOException, InterruptedException {
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
        return patches.stream().map(PlantedBugs::name).toList();
    }

    private static String name(Path patch) {
        return String.valueOf(patch.getFileName()).replace(PATCH, "");
    }

    /** Looks for one bug after the other in one process, until one is found by a history that never ends. */
    private void search(Deque<String> left, Path folder, long seeds, Duration atMost, List<BugResult> results)
            throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("plant", folder.toString(), Long.toString(seeds)));
        words.add(Long.toString(atMost.toSeconds()));
        words.addAll(left);
        try (BugProcess process = BugProcess.start(agent(folder), System.getProperty("java.class.path"), words)) {
            long seed = 0;
            for (String line = process.line(); line != null; line = process.line()) {
                if (line.startsWith(BugSearch.SEED)) {
                    seed = Long.parseLong(line.substring(BugSearch.SEED.length()));
                } else if (line.equals(BugSearch.FOUND) || line.equals(BugSearch.LOST)) {
                    add(new BugResult(left.remove(), line.equals(BugSearch.FOUND), seed), results);
                } else if (line.equals(BugSearch.REFUSED)) {
                    String name = left.remove();
                    add(alone(name, folder.resolve(name), seeds, atMost), results);
                }
            }
            if (process.hangs()) {
                add(new BugResult(left.remove(), true, seed), results);
            } else if (!left.isEmpty()) {
                // The JVM itself breaks now and then when a class is redefined once more.
                String name = left.remove();
                add(alone(name, folder.resolve(name), seeds, atMost), results);
            }
        }
    }

    /** Looks for a bug in a process of its own, which is slower. */
    private static BugResult alone(String name, Path classes, long seeds, Duration atMost)
            throws IOException, InterruptedException {
        String path = classes + File.pathSeparator + System.getProperty("java.class.path");
        List<String> words = List.of("first", "1", Long.toString(seeds), Long.toString(atMost.toSeconds()));
        try (BugProcess process = BugProcess.start(null, path, words)) {
            long seed = 0;
            for (String line = process.line(); line != null; line = process.line()) {
                seed = Long.parseLong(line);
            }
            return new BugResult(name, process.hasFailed(), seed);
        }
    }

    private void add(BugResult result, List<BugResult> results) {
        results.add(result);
        out.printf("%-50s %s%d%n", result.name, result.isFound ? "seed " : "not found by seed ", result.seed);
    }

    /** A jar that names {@link BugAgent}. */
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
