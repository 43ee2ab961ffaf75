package dev.kvstore.endtoend;

import dev.kvstore.client.KvClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** A client in a pod: writes blocks of all sizes and holds each against what it reads, for some time. */
final class PodTraffic {
    /** Blocks of a prompt by their bytes. */
    private static final Map<Integer, Integer> BLOCKS =
            new TreeMap<>(Map.of(512, 64, 4_096, 32, 65_536, 16, 1_200_000, 16, 8 << 20, 3, 64 << 20, 2));

    private PodTraffic() {}

    /**
     * @param args control plane, authority, resource, region, key, seconds; with {@code BIG} behind them also the
     * biggest
     */
    public static void main(String[] args) {
        long end =
                System.nanoTime() + Duration.ofSeconds(Long.parseLong(args[5])).toNanos();
        long blocks = 0;
        long bytes = 0;
        try (KvClient client = KvClient.builder()
                .controlPlane(args[0])
                .trust(Path.of(args[1]))
                .resource(args[2])
                .region(args[3])
                .apiKey(args[4])
                .noRouteCache()
                .build()) {
            do {
                for (Map.Entry<Integer, Integer> kind : BLOCKS.entrySet()) {
                    if (kind.getKey() > 2_000_000 && args.length == 6) {
                        continue;
                    }
                    TestPrompt prompt = TestPrompt.unique(kind.getValue());
                    for (int i = 0; i < kind.getValue(); i++) {
                        client.write(prompt.partition(), prompt.block(i, TestPrompt.bytes(kind.getKey(), i)));
                    }
                    Stacks.assertHolds(client, prompt.chain(), i -> TestPrompt.bytes(kind.getKey(), i));
                    blocks += kind.getValue();
                    bytes += (long) kind.getKey() * kind.getValue();
                }
                System.out.println("so far " + blocks);
            } while (System.nanoTime() < end);
        }
        System.out.printf("%d blocks, %,d MB written and read%n", blocks, bytes / 1_000_000);
    }
}
