package dev.kvstore.benchmark.sweep;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options: what to measure, and for how long.
 *
 * @param mix what each client does
 * @param promptBlocks of each prompt that is read or looked up, and of each that is written as one stream
 * @param blockBytes length of each buffer
 * @param stockBlocks how many blocks are read
 * @param concurrency clients of the closed loop, a step each
 * @param rates of the open loop, a step each
 * @param processes that the clients are dealt out to
 * @param connections of each process to each data plane
 * @param time of each step
 * @param lead load before each step's time begins
 * @param warmUp load of each arrangement before the first step
 * @param rounds of all steps
 * @param mostWritten bytes, before a step ends early
 * @param demand how much servers are counted for; null if nobody asked
 */
record SweepOptions(
        Mix mix,
        Data data,
        int promptBlocks,
        int blockBytes,
        int stockBlocks,
        List<Integer> concurrency,
        List<OpenLoopRate> rates,
        int processes,
        int connections,
        Duration time,
        Duration lead,
        Duration warmUp,
        int rounds,
        long mostWritten,
        @Nullable Demand demand) {
    int mostClients() {
        int closed = concurrency.stream().mapToInt(Integer::intValue).max().orElseThrow();
        return rates.isEmpty() ? closed : Math.max(closed, PlannedStep.MOST_UNDER_WAY);
    }

    /** The same in seconds: whether all works, and roughly how fast. */
    SweepOptions quick() {
        return new SweepOptions(
                mix,
                data,
                promptBlocks,
                blockBytes,
                stockBlocks,
                List.of(1, 5, 20),
                List.of(new OpenLoopRate(0.7, true)),
                processes,
                connections,
                Duration.ofSeconds(2),
                Duration.ofMillis(500),
                Duration.ofSeconds(3),
                1,
                mostWritten,
                demand);
    }

    SweepStock stock(String partition) {
        return new SweepStock(partition, Math.ceilDiv(stockBlocks, promptBlocks), promptBlocks, blockBytes);
    }
}
