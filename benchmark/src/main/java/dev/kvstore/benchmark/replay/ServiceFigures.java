package dev.kvstore.benchmark.replay;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.kvstore.benchmark.measure.Failures;
import dev.kvstore.benchmark.measure.Latencies;
import java.util.List;

/**
 * The figures of a span of requests, with the names that the JSON has.
 *
 * @param requests that were done with
 * @param blocks of these
 * @param cachedBlocks of these, what lookups found
 * @param readBlocks that came back and were compared byte for byte
 * @param readBytes of these
 * @param writtenBlocks acknowledged as new
 * @param presentBlocks acknowledged as there already, since another request had written them meanwhile
 * @param seconds that it took
 * @param late how much later than they should requests were begun, as too many were under way
 * @param lookup of a request that has blocks
 * @param firstBlock from the start of its lookup until the first block of a request was there; of requests that found
 *     some
 * @param restore the same until the last block it had found was there and compared
 * @param wrong blocks with other bytes than were written, or damaged
 * @param missing blocks that a lookup counted and that could not be read
 * @param lost blocks that were acknowledged and that a lookup did not count
 * @param failed operations that ended with an error
 * @param flaws the first few of these four, for people
 * @param interrupted whether it was stopped before its end
 */
public record ServiceFigures(
        long requests,
        long blocks,
        long cachedBlocks,
        long readBlocks,
        long readBytes,
        long writtenBlocks,
        long presentBlocks,
        double seconds,
        Latencies.Percentiles late,
        Latencies.Percentiles lookup,
        Latencies.Percentiles firstBlock,
        Latencies.Percentiles restore,
        long wrong,
        long missing,
        long lost,
        long failed,
        List<String> flaws,
        boolean interrupted) {
    public ServiceFigures {
        flaws = List.copyOf(flaws);
    }

    /** The part of all blocks that lookups found, 0 to 1; wherever they lie. */
    @JsonProperty
    public double hitRatio() {
        return blocks == 0 ? 0 : (double) cachedBlocks / blocks;
    }

    /**
     * Whether every block was found that had to be, each byte as it was written, and nothing failed or was left out.
     */
    @JsonProperty
    public boolean holds() {
        return breaches().isEmpty();
    }

    /** The promises that did not hold. */
    List<String> breaches() {
        Failures breaches = new Failures();
        breaches.when(wrong > 0, "%d blocks have other bytes than were written, or are damaged", wrong);
        breaches.when(missing > 0, "%d blocks were counted by a lookup and could not be read", missing);
        breaches.when(lost > 0, "%d blocks had been acknowledged, and a lookup did not count them", lost);
        breaches.when(failed > 0, "%d operations failed", failed);
        breaches.when(interrupted, "it was stopped before its end");
        return breaches.list();
    }
}
