package dev.kvstore.benchmark.mainjob;

import dev.kvstore.launcher.stack.StorageKind;
import java.time.Duration;
import java.util.List;

/**
 * The options: what to measure, and for how long.
 *
 * @param storages operations that never reach storage are measured over the first one only
 * @param only of the operations, those whose name contains this
 * @param blockBytes length of each block's buffer, 64 KiB to 2 MiB
 * @param clients how many at a time, 1 to 1000, a series each
 * @param time of each measurement, 1 s to 1 h
 * @param warmUp of each operation, before any is measured, 1 s to 1 h
 * @param rounds measurements of each series, 1 to 100
 * @param cold whether to read from storage, which takes a stock beyond the data plane's memory
 */
record MainJobOptions(
        List<StorageKind> storages,
        String only,
        int blockBytes,
        List<Integer> clients,
        Duration time,
        Duration warmUp,
        int rounds,
        boolean cold) {
    private static final int MIN_BLOCK_BYTES = 64 << 10;
    private static final int MAX_BLOCK_BYTES = 2 << 20;
    static final int MAX_CLIENTS = 1_000;
    static final int MAX_ROUNDS = 100;
    static final int MAX_SECONDS = 3_600;

    /**
     * @throws IllegalArgumentException if a number is out of its range
     */
    MainJobOptions {
        require("--block-bytes", blockBytes, MIN_BLOCK_BYTES, MAX_BLOCK_BYTES);
        require("--rounds", rounds, 1, MAX_ROUNDS);
        require("--clients: how many numbers", clients.size(), 1, MAX_ROUNDS);
        clients.forEach(count -> require("--clients", count, 1, MAX_CLIENTS));
        require("--seconds", time.toSeconds(), 1, MAX_SECONDS);
        require("--warmup", warmUp.toSeconds(), 1, MAX_SECONDS);
    }

    private static void require(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + ": must be " + least + " to " + most + ", not " + value);
        }
    }

    /** The same in a few seconds: whether all works, not how fast it is. */
    MainJobOptions quick() {
        Duration second = Duration.ofSeconds(1);
        return new MainJobOptions(storages, only, blockBytes, List.of(2), second, second, 1, false);
    }

    int measurements() {
        return clients.size() * rounds;
    }

    int mostClients() {
        return clients.stream().mapToInt(Integer::intValue).max().orElseThrow();
    }
}
