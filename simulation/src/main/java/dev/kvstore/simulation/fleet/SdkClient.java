package dev.kvstore.simulation.fleet;

import dev.kvstore.client.KvAsyncClient;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.NewBlock;
import dev.kvstore.client.TransportOptions;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.simulation.sockets.SimulatedSockets;
import dev.kvstore.simulation.world.SimulatedHost;
import dev.kvstore.simulation.world.World;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A client of the Java SDK on a host of its own. Its limits are so low that operations soon fail if memory is not given
 * back.
 */
public final class SdkClient {
    /** The most operations of the asynchronous client at a time. */
    public static final int ASYNC_CALLS = 8;

    /** The client allows at least this many reads at a time. */
    public static final int READS = 4;

    private static final int PART_BYTES = 4096;
    private static final int READ_WINDOW_BYTES = 2 * PART_BYTES;
    private static final int READ_MEMORY_BYTES = 32 * PART_BYTES;
    private static final int WRITE_WINDOW_BYTES = 250;
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    private static final TransportOptions TRANSPORT = new TransportOptions(
            65_535,
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofSeconds(5),
            2,
            TransportOptions.Stack.KVSTORE);

    private final SimulatedHost host;
    private final SimulatedSockets sockets;
    private final SimulatedPrompts prompts;
    private final List<String> planes;
    private final CompletableFuture<KvClient> client = new CompletableFuture<>();
    private int applications;

    /** @param planes names of data planes */
    public SdkClient(
            World world, String name, SimulatedSockets sockets, SimulatedPrompts prompts, List<String> planes) {
        this.host = new SimulatedHost(world, name);
        this.sockets = sockets;
        this.prompts = prompts;
        this.planes = planes;
        host.execute(this::open);
    }

    private void open() {
        String[] endpoints = planes.stream()
                .map(sockets::address)
                .map(address -> address.getAddress().getHostAddress() + ":" + address.getPort())
                .toArray(String[]::new);
        client.complete(KvClient.builder()
                .endpoints(endpoints)
                .apiKey(DataPlaneProcess.KEY)
                .resource(DataPlaneProcess.RESOURCE)
                .deadline(DEADLINE)
                .partBytes(PART_BYTES)
                .readWindowBytes(READ_WINDOW_BYTES)
                .maxReadMemoryBytes(READ_MEMORY_BYTES)
                .writeWindowBytes(WRITE_WINDOW_BYTES)
                .maxAsyncCalls(ASYNC_CALLS)
                .transport(TRANSPORT)
                .build());
    }

    /** Runs a task on a thread of the application that has the client. */
    public void execute(Runnable task) {
        host.execute(() -> {
            applications++;
            try {
                task.run();
            } finally {
                applications--;
            }
        });
    }

    /** Whether a thread of the application runs. */
    public boolean isUsed() {
        return applications > 0;
    }

    /** The blocking client. The call waits until the client is there. */
    public KvClient blocking() {
        return client.join();
    }

    /** The asynchronous client. The call waits until the client is there. */
    public KvAsyncClient async() {
        return blocking().async();
    }

    /** Breaks the client's connections to a data plane. */
    public void breakConnections(String plane) {
        sockets.breakAll(host.name(), plane);
    }

    /**
     * The client's threads that have not ended, and the blocks that were not given back; empty for none. It is empty,
     * too, while the application runs: a reader or writer that is not closed yet may still have threads or blocks.
     */
    public String leftovers() {
        List<String> left = new ArrayList<>();
        if (applications == 0 && host.threads() > 0) {
            left.add(host.threads() + " threads");
        }
        if (applications == 0 && host.unclean() > 0) {
            left.add(host.unclean() + " blocks");
        }
        return String.join(", ", left);
    }

    /** Bytes of network memory that clients of all hosts have. */
    public static long borrowedBytes() {
        return PooledByteBufAllocator.DEFAULT.pinnedDirectMemory();
    }

    /** The block chain of a prompt's first blocks. */
    public BlockChain chain(int prompt, int blocks) {
        return BlockChain.of(SimulatedPrompts.PARTITION, prompts.beginning(prompt, blocks));
    }

    /** A block to write. */
    public NewBlock block(BlockChain chain, int prompt, int block, int content) {
        ByteBuffer buffer = ByteBuffer.wrap(SimulatedPrompts.buffer(prompt, block, content));
        return NewBlock.of(chain, block, prompts.tokens(prompt, block), buffer);
    }

    /** Makes the calling thread wait. */
    public static void pause(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
