import com.sun.management.OperatingSystemMXBean;
import dev.kvstore.client.Block;
import dev.kvstore.client.BlockResult;
import dev.kvstore.client.BlockStream;
import dev.kvstore.client.BlockWriter;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.NewBlock;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.stream.IntStream;

/**
 * Reads one prompt again and again from a data plane's memory, and prints GB/s (10^9 bytes) and the client's CPU seconds
 * for a GB. Endpoint, key and resource are its arguments; speed.sh runs it on several Javas in turns.
 */
public class ReadSpeed {
    private static final int BLOCKS = 200;
    private static final int BYTES = 1_200_000;
    private static final int TOKENS = 128;
    private static final long WARM_UP_NANOS = 3_000_000_000L;
    private static final long MEASURED_NANOS = 5_000_000_000L;

    public static void main(String[] args) throws Exception {
        int[] prompt = IntStream.range(0, BLOCKS * TOKENS).toArray();
        Partition partition = Partition.of("measure/read-speed");
        BlockChain chain = BlockChain.of(partition, Tokens.of(prompt));
        try (KvClient client = KvClient.builder()
                .endpoints(args[0])
                .apiKey(args[1])
                .resource(args[2])
                .build()) {
            if (client.lookup(partition, chain).cachedBlocks() < BLOCKS) {
                write(client, partition, chain, prompt);
            }
            read(client, chain, WARM_UP_NANOS);
            OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
            long cpu = system.getProcessCpuTime();
            long start = System.nanoTime();
            long bytes = read(client, chain, MEASURED_NANOS);
            double nanos = System.nanoTime() - start;
            System.out.printf("%.2f GB/s, %.2f CPU s for a GB%n", bytes / nanos, (system.getProcessCpuTime() - cpu) / (double) bytes);
        }
    }

    private static void write(KvClient client, Partition partition, BlockChain chain, int[] prompt) throws Exception {
        try (BlockWriter writer = client.writer(partition, chain)) {
            for (int i = 0; i < BLOCKS; i++) {
                Tokens tokens = Tokens.slice(prompt, i * TOKENS, TOKENS);
                writer.write(NewBlock.of(chain, i, tokens, ByteBuffer.allocateDirect(BYTES)));
            }
            writer.finish();
        }
    }

    private static long read(KvClient client, BlockChain chain, long nanos) {
        long bytes = 0;
        for (long end = System.nanoTime() + nanos; System.nanoTime() - end < 0; ) {
            try (BlockStream blocks = client.read(chain)) {
                for (BlockResult result : blocks) {
                    try (Block block = ((BlockResult.Found) result).block()) {
                        bytes += block.length();
                    }
                }
            }
        }
        return bytes;
    }
}
