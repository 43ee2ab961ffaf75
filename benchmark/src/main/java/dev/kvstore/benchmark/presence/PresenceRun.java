package dev.kvstore.benchmark.presence;

import dev.kvstore.benchmark.measure.BenchFolder;
import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.benchmark.measure.StorageCalls;
import dev.kvstore.client.KvClient;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackDataPlane;
import dev.kvstore.launcher.stack.StackOptions;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.BlockHash;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/** Blocks written through one data plane, and asked for at another. For one thread. */
final class PresenceRun {
    // A writer closes its log 10 s after its last block, at its next beat: 5 s later at most.
    private static final int SECONDS_UNTIL_TOLD = 20;
    private static final int ABSENT_LOOKUPS = 3_000;
    private static final int ABSENT_BLOCKS = 100;
    private static final int LOOKUPS = 3_000;
    private static final Duration DEADLINE = Duration.ofHours(1);

    private final Home home;
    private final ManyBlocks many;
    private final Consumer<String> progress;
    private final SplittableRandom random = new SplittableRandom(1);
    private long wrong;

    PresenceRun(Home home, int prompts, Consumer<String> progress) {
        this.home = home;
        this.many = new ManyBlocks(prompts);
        this.progress = progress;
    }

    PresenceReport run() throws IOException, InterruptedException {
        Files.createDirectories(home.target());
        try (BenchFolder folder = BenchFolder.in(home.target(), "kv-presence-");
                LocalStack stack =
                        LocalStack.start(StackOptions.onFreePorts(home, folder.path()), new SecureRandom())) {
            return measure(stack, folder.path());
        }
    }

    private PresenceReport measure(LocalStack stack, Path folder) throws IOException, InterruptedException {
        StackDataPlane second = stack.dataPlane(1);
        second.stop();
        progress.accept("storing " + many.prompts() * ManyBlocks.CHAIN + " blocks");
        long start = System.nanoTime();
        try (KvClient client = client(stack, stack.dataPlane(0))) {
            many.write(client);
        }
        double writeSeconds = (System.nanoTime() - start) / 1e9;
        TimeUnit.SECONDS.sleep(SECONDS_UNTIL_TOLD);

        progress.accept("starting a second data plane");
        double readyMillis = second.startAgain().toMillis();
        StorageCalls calls = new StorageCalls(List.of(second));
        try (KvClient client = client(stack, second)) {
            Map<String, Double> loadCalls = new TreeMap<>();
            Latencies first = new Latencies();
            calls.during(loadCalls, () -> lookUp(client, ManyBlocks.chain(0), ManyBlocks.CHAIN, first));
            double loadMillis = second.metrics().sum("kvstore_presence_load_duration_seconds_sum") * 1e3;

            progress.accept("looking up");
            PresenceReport.LookupTimes cold =
                    lookUps(client, calls, many.prompts() - 1, i -> ManyBlocks.chain(1 + i), ManyBlocks.CHAIN);
            double rate = falsePositiveRate(client, second);
            PresenceReport.LookupTimes known = lookUps(client, calls, LOOKUPS, knownChains(), ManyBlocks.CHAIN);
            PresenceReport.LookupTimes missing = lookUps(client, calls, LOOKUPS, _ -> absent(ManyBlocks.CHAIN), 0);
            List<Path> files = presenceFiles(folder);
            long bytes = 0;
            for (Path file : files) {
                bytes += Files.size(file);
            }
            return new PresenceReport(
                    many.prompts() * ManyBlocks.CHAIN,
                    writeSeconds,
                    readyMillis,
                    first.percentiles().maxMillis(),
                    loadMillis,
                    loadCalls,
                    bytes,
                    files.size(),
                    rate,
                    (long) ABSENT_LOOKUPS * ABSENT_BLOCKS,
                    wrong,
                    cold,
                    known,
                    missing);
        }
    }

    private IntFunction<BlockChain> knownChains() {
        List<BlockChain> some = Stream.iterate(0, i -> i + 1)
                .limit(Math.min(20, many.prompts()))
                .map(ManyBlocks::chain)
                .toList();
        return i -> some.get(i % some.size());
    }

    private PresenceReport.LookupTimes lookUps(
            KvClient client, StorageCalls calls, int count, IntFunction<BlockChain> chains, int expected)
            throws InterruptedException {
        Latencies latencies = new Latencies();
        Map<String, Double> sums = new TreeMap<>();
        long nanos = calls.during(sums, () -> {
            long sum = 0;
            for (int i = 0; i < count; i++) {
                sum += lookUp(client, chains.apply(i), expected, latencies);
            }
            return sum;
        });
        sums.replaceAll((_, sum) -> sum / Math.max(1, count));
        return new PresenceReport.LookupTimes(nanos == 0 ? 0 : count / (nanos / 1e9), latencies.percentiles(), sums);
    }

    /** How long it took, in nanoseconds. */
    private long lookUp(KvClient client, BlockChain chain, int expected, Latencies latencies) {
        long start = System.nanoTime();
        int counted = client.lookup(ManyBlocks.PARTITION, chain).cachedBlocks();
        long took = System.nanoTime() - start;
        latencies.add(took);
        wrong += counted == expected ? 0 : 1;
        return took;
    }

    /** Prompts short enough that seldom two of their blocks are a filter's mistake: each mistake costs one check. */
    private double falsePositiveRate(KvClient client, StackDataPlane dataPlane) {
        double before = dataPlane.metrics().sum("kvstore_presence_false_positives_total");
        Latencies ignored = new Latencies();
        for (int i = 0; i < ABSENT_LOOKUPS; i++) {
            lookUp(client, absent(ABSENT_BLOCKS), 0, ignored);
        }
        double found = dataPlane.metrics().sum("kvstore_presence_false_positives_total") - before;
        return found / ABSENT_LOOKUPS / ABSENT_BLOCKS;
    }

    private BlockChain absent(int blocks) {
        byte[] hashes = new byte[blocks * BlockHash.BYTES];
        random.nextBytes(hashes);
        return BlockChain.ofHashes(ManyBlocks.PARTITION.root(), List.of(ByteBuffer.wrap(hashes)));
    }

    private static List<Path> presenceFiles(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().contains("/presence/"))
                    .filter(Files::isRegularFile)
                    .toList();
        }
    }

    private static KvClient client(LocalStack stack, StackDataPlane dataPlane) {
        return KvClient.builder()
                .endpoints(dataPlane.endpoint())
                .resource(LocalStack.RESOURCE)
                .apiKey(stack.key().text())
                .deadline(DEADLINE)
                .build();
    }
}
