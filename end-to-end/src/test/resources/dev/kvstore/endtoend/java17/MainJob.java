import dev.kvstore.client.Block;
import dev.kvstore.client.BlockResult;
import dev.kvstore.client.BlockStream;
import dev.kvstore.client.BlockWriter;
import dev.kvstore.client.KvAsyncClient;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.NewBlock;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

/** The main job in the Java of 2021: endpoint, key and partition are its arguments. */
public class MainJob {
    private static final int BLOCKS = 5;
    private static final int BYTES = 300_000;

    public static void main(String[] args) throws Exception {
        int[] prompt = IntStream.range(0, BLOCKS * 128).toArray();
        try (KvClient client = KvClient.builder()
                .endpoints(args[0])
                .apiKey(args[1])
                .resource("demo")
                .build()) {
            Partition partition = Partition.of(args[2]);
            BlockChain chain = BlockChain.of(partition, Tokens.of(prompt));
            System.out.println("before " + client.lookup(partition, chain).cachedBlocks());
            try (BlockWriter writer = client.writer(partition, chain)) {
                for (int i = 0; i < BLOCKS; i++) {
                    ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES);
                    buffer.put(0, (byte) i);
                    writer.write(NewBlock.of(chain, i, Tokens.slice(prompt, i * 128, 128), buffer));
                }
                writer.finish();
            }
            System.out.println("after " + client.lookup(partition, chain).cachedBlocks());
            System.out.println("read " + read(client, chain));
            System.out.println("missing " + missing(client));
            async(client.async(), partition, chain);
        }
    }

    private static String read(KvClient client, BlockChain chain) {
        StringBuilder first = new StringBuilder();
        try (BlockStream blocks = client.read(chain)) {
            for (BlockResult result : blocks) {
                try (Block block = ((BlockResult.Found) result).block()) {
                    ByteBuffer copy = ByteBuffer.allocate(block.length());
                    block.copyTo(copy);
                    first.append(copy.get(0));
                }
            }
        }
        return first.toString();
    }

    private static String missing(KvClient client) {
        Partition other = Partition.of("java17/nothing");
        try (Block block = client.readBlock(
                BlockChain.of(other, Tokens.of(new int[128])).location(0))) {
            return block.toString();
        } catch (KvStoreException e) {
            return String.valueOf(e.code());
        }
    }

    private static void async(KvAsyncClient client, Partition partition, BlockChain chain) throws Exception {
        int cached = client.lookup(partition, chain).get(10, TimeUnit.SECONDS).cachedBlocks();
        System.out.println("async " + cached);
        AtomicInteger bytes = new AtomicInteger();
        AtomicReference<String> thread = new AtomicReference<>();
        CountDownLatch done = new CountDownLatch(1);
        client.read(chain).subscribe(new Flow.Subscriber<>() {
            @Override
            public void onSubscribe(Flow.Subscription subscription) {
                subscription.request(Long.MAX_VALUE);
            }

            @Override
            public void onNext(BlockResult result) {
                try (Block block = ((BlockResult.Found) result).block()) {
                    bytes.addAndGet(block.length());
                    // The SDK's own thread: a future that is done calls its functions on the thread that adds them.
                    thread.set(Thread.currentThread().toString().startsWith("VirtualThread") ? "virtual" : "platform");
                }
            }

            @Override
            public void onError(Throwable e) {
                System.out.println("the subscription failed: " + e.getMessage());
                done.countDown();
            }

            @Override
            public void onComplete() {
                done.countDown();
            }
        });
        done.await(10, TimeUnit.SECONDS);
        System.out.println("published " + bytes + " on " + thread);
    }
}
