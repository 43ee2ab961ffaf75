package dev.kvstore.simulation.world;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;

/**
 * What a history came to.
 *
 * @param broken promises that were broken; empty if all was well
 * @param story the last of what happened, line by line
 * @param answers answers that were held against the promises
 * @param digest equal for equal histories
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
