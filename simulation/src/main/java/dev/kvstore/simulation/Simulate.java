package dev.kvstore.simulation;

import dev.kvstore.simulation.world.HistoryOutcome;
import dev.kvstore.simulation.world.SeededHistories;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The program that {@code kv bench simulate} starts. */
public final class Simulate {
    /**
     * The root logger is off, because simulated processes fail all the time and log that. Without this field the JDK
     * would forget the logger's level.
     */
    private static final Logger ROOT = Logger.getLogger("");

    private final PrintStream out;

    Simulate(PrintStream out) {
        this.out = out;
    }

    /**
     * Runs a command. The exit code is 1 if a promise was broken, or a planted bug was not found.
     *
     * @param words {@code run FIRST SEEDS SECONDS}, {@code story SEED}, {@code digests FIRST SEEDS},
     *     {@code faults FIRST SEEDS}, {@code first FIRST SEEDS SECONDS}, each with {@code controlled} behind it for
     *     histories with control planes alone; or {@code bugs CHECKOUT SEEDS SECONDS} and names of bugs, which starts
     *     {@code plant} in other processes
     */
    public static void main(String[] words) throws Exception {
        // SLF4J need not say that libraries have no log.
        System.setProperty("slf4j.internal.verbosity", "ERROR");
        ROOT.setLevel(Level.OFF);
        Simulate simulate = new Simulate(System.out);
        List<String> all = List.of(words);
        boolean fine = switch (words[0]) {
            case "run" -> simulate.run(SeedRange.of(words[1], words[2], all), Duration.ofSeconds(number(words[3])));
            case "story" -> simulate.story(number(words[1]));
            case "digests" -> simulate.digests(SeedRange.of(words[1], words[2], all));
            case "faults" -> simulate.faults(SeedRange.of(words[1], words[2], all));
            case "first" ->
                simulate.isFirstOf(SeedRange.of(words[1], words[2], all), Duration.ofSeconds(number(words[3])));
            case "bugs" ->
                new PlantedBugs(Path.of(words[1]), System.out)
                        .find(all.subList(4, words.length), number(words[2]), Duration.ofSeconds(number(words[3])));
            case "plant" -> {
                new BugSearch(Path.of(words[1]), System.out)
                        .search(
                                all.subList(5, words.length),
                                SeedRange.of("1", words[2], all.subList(4, 5)),
                                Duration.ofSeconds(number(words[3])));
                yield true;
            }
            default ->
                throw new IllegalArgumentException("run, story, digests, faults, first or bugs, not " + words[0]);
        };
        System.exit(fine ? 0 : 1);
    }

    private static long number(String word) {
        return Long.parseLong(word);
    }

    private boolean run(SeedRange seeds, Duration atMost) throws ReflectiveOperationException {
        SeededHistories histories = ProductClasses.histories();
        long began = System.nanoTime();
        long simulated = 0;
        long answers = 0;
        long done = 0;
        long last = seeds.first();
        boolean fine = true;
        PrimitiveIterator.OfLong next = seeds.of(histories).iterator();
        while (fine && System.nanoTime() - began < atMost.toNanos() && next.hasNext()) {
            long seed = next.nextLong();
            last = seed;
            done++;
            HistoryOutcome outcome = histories.run(seed, all(histories, seed));
            simulated += outcome.nanos();
            answers += outcome.answers();
            if (!outcome.broken().isEmpty()) {
                fine = false;
                tell(histories, seed);
            }
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        out.printf(
                "seeds %d to %d: %d histories of %.1f hours, %d answers, in %.0f s: %s%n",
                seeds.first(),
                last,
                done,
                simulated / 3.6e12,
                answers,
                seconds,
                fine ? "no promise was broken" : "a promise was broken");
        return fine;
    }

    private void tell(SeededHistories histories, long seed) {
        BitSet kept = new Shrinker(histories, seed).shrink();
        HistoryOutcome outcome = histories.run(seed, kept);
        outcome.story().forEach(out::println);
        outcome.broken().forEach(broken -> out.println("seed " + seed + ": " + broken));
        out.println("These steps of " + histories.steps(seed) + " are enough:");
        out.println(histories.code(seed, kept));
    }

    private boolean story(long seed) throws ReflectiveOperationException {
        SeededHistories histories = ProductClasses.histories();
        HistoryOutcome outcome = histories.run(seed, all(histories, seed));
        outcome.story().forEach(out::println);
        outcome.broken().forEach(broken -> out.println("seed " + seed + ": " + broken));
        return outcome.broken().isEmpty();
    }

    private boolean digests(SeedRange seeds) throws ReflectiveOperationException {
        SeededHistories histories = ProductClasses.histories();
        seeds.of(histories)
                .forEach(seed -> out.printf(
                        "%d %016x%n",
                        seed, histories.run(seed, all(histories, seed)).digest()));
        return true;
    }

    /** Prints how often each fault took effect, and in how many histories. */
    private boolean faults(SeedRange seeds) throws ReflectiveOperationException {
        SeededHistories histories = ProductClasses.histories();
        SortedMap<String, Long> often = new TreeMap<>();
        SortedMap<String, Long> in = new TreeMap<>();
        seeds.of(histories)
                .forEach(seed -> histories
                        .run(seed, all(histories, seed))
                        .faults()
                        .forEach((fault, times) -> {
                            often.merge(fault, times, Long::sum);
                            in.merge(fault, 1L, Long::sum);
                        }));
        often.forEach((fault, times) ->
                out.printf("%-30s %6d times, in %d of %d histories%n", fault, times, in.get(fault), seeds.count()));
        return true;
    }

    /**
     * Prints each seed before its history, and ends with the first history that breaks a promise; false if there is
     * one.
     */
    private boolean isFirstOf(SeedRange seeds, Duration atMost) throws ReflectiveOperationException {
        SeededHistories histories = ProductClasses.histories();
        long began = System.nanoTime();
        PrimitiveIterator.OfLong next = seeds.of(histories).iterator();
        while (System.nanoTime() - began < atMost.toNanos() && next.hasNext()) {
            long seed = next.nextLong();
            out.println(seed);
            if (!histories.run(seed, all(histories, seed)).broken().isEmpty()) {
                return false;
            }
        }
        return true;
    }

    static BitSet all(SeededHistories histories, long seed) {
        BitSet all = new BitSet();
        all.set(0, histories.steps(seed));
        return all;
    }
}
