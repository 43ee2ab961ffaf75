package dev.kvstore.benchmark.measure;

import dev.kvstore.launcher.IoReason;
import dev.kvstore.launcher.LaunchException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Cases that are measured in turn (A B C A B C), so that what disturbs the machine for a while does not hit one of them
 * alone; each is warmed up before. A case that fails is left out from then on, and the others go on. For one thread.
 *
 * @param <C> a case; its text names it
 * @param <R> what one measurement of it finds
 */
public final class Rounds<C, R> {
    private final BenchProgress progress;
    private final Consumer<String> flaws;
    private final Map<C, List<R>> found = new LinkedHashMap<>();

    /** Measures a case, or warms it up. */
    @FunctionalInterface
    public interface CaseRound<C, R> {
        /** @param round from 1; 0 for the warm-up, whose result does not count */
        R run(C one, int round) throws IOException, InterruptedException;
    }

    /**
     * @param progress has a plan of {@link #steps} steps or more
     * @param flaws takes why a case failed, in a sentence
     */
    public Rounds(BenchProgress progress, Consumer<String> flaws) {
        this.progress = progress;
        this.flaws = flaws;
    }

    /** How many steps of the progress so many cases take. */
    public static int steps(int cases, int rounds) {
        return cases * (1 + rounds);
    }

    /** Measures all of them. */
    public void run(Collection<C> cases, int rounds, CaseRound<C, R> work) throws InterruptedException {
        cases.forEach(one -> found.put(one, new ArrayList<>()));
        for (int round = 0; round <= rounds; round++) {
            for (C one : cases) {
                progress.step((round == 0 ? "warming up: " : "round " + round + " of " + rounds + ": ") + one);
                List<R> results = found.get(one);
                if (results != null) {
                    run(one, round, work, results);
                }
            }
        }
    }

    private void run(C one, int round, CaseRound<C, R> work, List<R> results) throws InterruptedException {
        try {
            R result = work.run(one, round);
            if (round > 0) {
                results.add(result);
            }
        } catch (IOException | RuntimeException e) {
            String flaw = one + ": " + reason(e);
            found.remove(one);
            flaws.accept(flaw);
            progress.accept("FAILED: " + flaw);
        }
    }

    /** The rounds so far of the cases that were measured and did not fail. */
    public Map<C, List<R>> found() {
        Map<C, List<R>> measured = new LinkedHashMap<>(found);
        measured.values().removeIf(List::isEmpty);
        return measured;
    }

    /**
     * The reason of a failure in words for people, where it has some. Waits a second before: Ctrl-C ends other processes
     * before this one hears of it, and their end is no failure then.
     *
     * @throws InterruptedException if it was Ctrl-C
     */
    public static String reason(Exception failure) throws InterruptedException {
        TimeUnit.SECONDS.sleep(1);
        return switch (failure) {
            case LaunchException told -> Objects.requireNonNullElse(told.getMessage(), told.toString());
            case IllegalStateException told -> Objects.requireNonNullElse(told.getMessage(), told.toString());
            case IOException io -> IoReason.withFile(io);
            default -> failure.toString();
        };
    }
}
