package dev.kvstore.simulation;

import dev.kvstore.simulation.rewriting.RewritingLoader;
import dev.kvstore.simulation.world.SeededHistories;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.PrimitiveIterator;
import java.util.stream.Stream;

/**
 * Looks for bugs in one process: it redefines the classes of each bug, so that all other classes stay loaded and
 * compiled. It prints each seed before the seed's history.
 */
final class BugSearch {
    static final String BUG = "bug ";
    static final String SEED = "seed ";

    /** The broken promise follows this word. */
    static final String FOUND = "found: ";

    static final String LOST = "lost";
    static final String REFUSED = "refused";

    private final Path folder;
    private final PrintStream out;
    private final RewritingLoader loader = ProductClasses.loader();
    private final SeededHistories histories;
    private final Instrumentation instrumentation = BugAgent.instrumentation();

    /** @param folder a folder that has a folder of class files for each bug */
    BugSearch(Path folder, PrintStream out) throws ReflectiveOperationException {
        this.folder = folder;
        this.out = out;
        this.histories = ProductClasses.histories(loader);
    }

    void search(List<String> names, SeedRange seeds, Duration atMost) throws IOException, ReflectiveOperationException {
        for (String name : names) {
            say(BUG + name);
            List<ClassDefinition> planted = new ArrayList<>();
            List<ClassDefinition> healthy = new ArrayList<>();
            read(folder.resolve(name), planted, healthy);
            if (redefine(planted)) {
                say(found(seeds, atMost).map(FOUND::concat).orElse(LOST));
                if (!redefine(healthy)) {
                    throw new IllegalStateException(name + " stays");
                }
            } else {
                say(REFUSED);
            }
        }
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }

    private void read(Path classes, List<ClassDefinition> planted, List<ClassDefinition> healthy)
            throws IOException, ReflectiveOperationException {
        try (Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = classes.relativize(file).toString();
                byte[] after = Files.readAllBytes(file);
                byte[] before;
                try (InputStream in = Objects.requireNonNull(loader.getResourceAsStream(name))) {
                    before = in.readAllBytes();
                }
                if (!Arrays.equals(before, after)) {
                    Class<?> type = Class.forName(name.replace(".class", "").replace('/', '.'), false, loader);
                    planted.add(new ClassDefinition(type, loader.rewritten(after)));
                    healthy.add(new ClassDefinition(type, loader.rewritten(before)));
                }
            }
        }
    }

    /** Redefines classes; returns false if the JDK refuses to add or remove one of their methods. */
    private boolean redefine(List<ClassDefinition> classes) throws ClassNotFoundException {
        try {
            instrumentation.redefineClasses(classes.toArray(ClassDefinition[]::new));
            return true;
        } catch (UnsupportedOperationException e) {
            return false;
        } catch (UnmodifiableClassException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The first broken promise; empty if no history breaks one. */
    private Optional<String> found(SeedRange seeds, Duration atMost) {
        long began = System.nanoTime();
        PrimitiveIterator.OfLong next = seeds.of(histories).iterator();
        while (System.nanoTime() - began < atMost.toNanos() && next.hasNext()) {
            long seed = next.nextLong();
            say(SEED + seed);
            List<String> broken =
                    histories.run(seed, Simulate.all(histories, seed)).broken();
            if (!broken.isEmpty()) {
                return Optional.of(broken.getFirst().lines().findFirst().orElse(""));
            }
        }
        return Optional.empty();
    }
}
