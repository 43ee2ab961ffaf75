package dev.kvstore.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Other work of the machine, with the names that the JSON has. A load is the number of threads that wanted a processor,
 * on average over a minute; below 0 where the system does not tell.
 *
 * @param loadBefore that before anything was started
 * @param loadAfter that at the end, the run's own threads among them
 * @param stolen the part of processor time during the run that other machines on the same hardware had, 0 to 1; below 0
 *     where the system does not tell
 * @param sentence the same for people
 */
public record Noise(double loadBefore, double loadAfter, double stolen, boolean quiet, String sentence) {
    // The bounds of a machine without work: a quarter of each processor, and hardly any time taken by other machines.
    private static final double QUIET_LOAD = 0.25;
    private static final double QUIET_STOLEN = 0.02;

    static Noise of(double loadBefore, double loadAfter, double stolen, int processors) {
        List<String> causes = new ArrayList<>();
        if (loadBefore > QUIET_LOAD * processors) {
            causes.add(String.format(
                    Locale.ROOT,
                    "in the minute before the run, %.1f threads on average wanted its %d processors",
                    loadBefore,
                    processors));
        }
        if (stolen > QUIET_STOLEN) {
            causes.add(String.format(
                    Locale.ROOT,
                    "during the run, other machines on the same hardware had %.0f %% of its processors' time",
                    100 * stolen));
        }
        boolean quiet = causes.isEmpty();
        return new Noise(loadBefore, loadAfter, stolen, quiet, quiet ? calm(loadBefore) : disturbed(causes));
    }

    private static String calm(double load) {
        return load < 0
                ? "Whether the machine was quiet is not known: it does not tell its load."
                : String.format(Locale.ROOT, "The machine was quiet before the run, with a load of %.2f.", load);
    }

    private static String disturbed(List<String> causes) {
        return "The machine was not quiet: " + String.join("; ", causes)
                + ". Take differences within the error ranges for chance, and repeat the run on a quiet machine before quoting it.";
    }
}
