package dev.kvstore.simulation.world;

import java.util.List;

/**
 * What a history came to.
 *
 * @param broken promises that were broken; empty if all was well
 * @param story the last of what happened, line by line
 * @param answers answers that were held against the promises
 * @param digest equal for equal histories
 * @param nanos the time of the world that passed
 */
public record HistoryOutcome(List<String> broken, List<String> story, long answers, long digest, long nanos) {
    public HistoryOutcome {
        broken = List.copyOf(broken);
        story = List.copyOf(story);
    }
}
