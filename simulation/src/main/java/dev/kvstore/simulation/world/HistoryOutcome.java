package dev.kvstore.simulation.world;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;

/**
 * The outcome of a history.
 *
 * @param broken the promises that were broken; empty if none was
 * @param story the last events, one line for each
 * @param answers the number of answers that were held against the promises
 * @param digest a number that is equal for equal histories
 * @param nanos the time of the world that passed
 * @param faults how often each fault took effect, by its name
 */
public record HistoryOutcome(
        List<String> broken,
        List<String> story,
        long answers,
        long digest,
        long nanos,
        SortedMap<String, Long> faults) {
    public HistoryOutcome {
        broken = List.copyOf(broken);
        story = List.copyOf(story);
        faults = Collections.unmodifiableSortedMap(faults);
    }
}
