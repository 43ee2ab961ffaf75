package dev.kvstore.benchmark.trace;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How requests of a trace hang together, as {@link ConversationModel} defines it.
 *
 * @param turns how many are the first, second ... of a conversation
 * @param gapSeconds from each request to the one that continues it, from the shortest
 * @param reusedBlocks that earlier requests had, in one run from the first
 */
@SuppressWarnings("ArrayRecordComponent")
record TraceStatistics(
        long requests,
        long blocks,
        long distinctBlocks,
        double meanOutput,
        Map<Integer, Integer> turns,
        double[] inputs,
        double[] gapSeconds,
        long reusedBlocks) {
    private record Last(long millis, int turn) {}

    static TraceStatistics of(Trace trace) throws IOException {
        Map<Long, Last> last = new HashMap<>();
        Map<Integer, Integer> turns = new HashMap<>();
        Set<Long> distinct = new HashSet<>();
        List<Double> gaps = new ArrayList<>();
        List<Double> inputs = new ArrayList<>();
        long blocks = 0;
        long output = 0;
        long reused = 0;
        try (Requests requests = trace.open()) {
            for (TraceRequest request = requests.next(); request != null; request = requests.next()) {
                long[] ids = request.hashIds();
                int known = 0;
                while (known < ids.length && last.containsKey(ids[known])) {
                    known++;
                }
                Last before = known > 1 ? last.get(ids[known - 1]) : null;
                int turn = before == null ? 1 : before.turn() + 1;
                if (before != null) {
                    gaps.add((request.timestampMillis() - before.millis()) / 1e3);
                }
                turns.merge(turn, 1, Integer::sum);
                for (long id : ids) {
                    last.put(id, new Last(request.timestampMillis(), turn));
                    distinct.add(id);
                }
                inputs.add((double) request.inputTokens());
                blocks += ids.length;
                output += request.outputTokens();
                reused += known;
            }
        }
        return new TraceStatistics(
                inputs.size(),
                blocks,
                distinct.size(),
                (double) output / inputs.size(),
                turns,
                sorted(inputs),
                sorted(gaps),
                reused);
    }

    private static double[] sorted(List<Double> values) {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        return sorted;
    }

    static double quantile(double[] sorted, double part) {
        return sorted[(int) Math.round(part * (sorted.length - 1))];
    }

    int turns(int turn) {
        return turns.getOrDefault(turn, 0);
    }

    /** The part of all blocks that is found if nothing ever leaves. */
    double reused() {
        return (double) reusedBlocks / blocks;
    }
}
