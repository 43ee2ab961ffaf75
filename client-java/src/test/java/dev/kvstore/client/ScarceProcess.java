package dev.kvstore.client;

import dev.kvstore.protocol.block.BlockChain;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;

/**
 * The SDK in a process whose threads or whose memory run out, a program of its own. It says on a line how each call
 * ended. The SDK's threads are Java's own here, as on Java 17.
 */
final class ScarceProcess implements AutoCloseable {
    private static final String WELL = "well";
    private static final int BLOCKS = 300;
    private static final int READS = 10;

    /** Of 1 MiB. */
    static final int READ_BLOCKS = 8;

    private static final int SMALL_STACK = 32 << 20;
    private static final int USUAL_STACK = 0;
    private static final int SPARE_STACKS = 5;

    private final BlockChain chain = SdkBlocks.chain(BLOCKS);
    private final CountDownLatch release = new CountDownLatch(1);
    private final String server;
    private final KvClient client;

    private ScarceProcess(String server) {
        this.server = server;
        this.client = builder().build();
        client.lookup(SdkBlocks.PARTITION, chain); // the connection is there
    }

    private KvClientBuilder builder() {
        return KvClient.builder()
                .endpoints(server)
                .apiKey("kv_test")
                .resource("demo")
                .connectionsPerEndpoint(1)
                .retry(RetryOptions.NONE);
    }

    /** Arguments: the server, and what to try. */
    public static void main(String[] args) {
        try (ScarceProcess program = new ScarceProcess(args[0])) {
            program.tryOut(args[1]);
        }
        System.exit(0); // some dependents never end
    }

    private void tryOut(String what) {
        switch (what) {
            case "writer" -> write(Duration.ofSeconds(60), false);
            case "stuck writer" -> write(Duration.ofSeconds(1), true);
            case "new calls" -> callAnew();
            case "new connection" -> connect();
            case "paused reads" -> pause();
            case "no memory" -> allocate();
            default -> throw new IllegalArgumentException(what);
        }
    }

    /**
     * Writes through a writer that was open before; the code that depends on its futures waits.
     *
     * @param stuck whether it waits for ever
     */
    private void write(Duration deadline, boolean stuck) {
        CountDownLatch go = new CountDownLatch(1);
        try (BlockWriter writer = client.writer(SdkBlocks.PARTITION, CallOptions.DEFAULT.withDeadline(deadline))) {
            useUp();
            List<CompletableFuture<WriteResult>> futures = new ArrayList<>();
            for (int i = 0; i < BLOCKS; i++) {
                CompletableFuture<WriteResult> future = writer.write(SdkBlocks.newBlock(chain, i, 1000));
                var _ = future.thenRun(() -> await(go));
                futures.add(future);
            }
            if (!stuck) {
                go.countDown();
            }
            say("finish", writer::finish);
            System.out.println(
                    futures.stream().filter(CompletableFuture::isDone).count() + " complete");
        }
    }

    private void callAnew() {
        KvAsyncClient async = client.async();
        useUp();
        say("lookup", () -> async.lookup(SdkBlocks.PARTITION, chain).join());
        say("subscribe", () -> async.read(chain).subscribe(new Failing()));
        say("writer", () -> client.writer(SdkBlocks.PARTITION).close());
        say("build", () -> builder().build().close());
    }

    private void connect() {
        try (KvClient other = builder().build()) {
            useUp();
            say("lookup", () -> other.lookup(SdkBlocks.PARTITION, chain));
            release.countDown();
            sayOnceWell("later lookup", () -> other.lookup(SdkBlocks.PARTITION, chain));
        }
    }

    /** Opens reads of more bytes than there are, takes a block of each, and only then reads them. */
    private void pause() {
        List<BlockStream> reads = new ArrayList<>();
        for (int i = 0; i < READS; i++) {
            reads.add(client.read(chain.prefix(READ_BLOCKS)));
        }
        say("paused reads", () -> reads.forEach(read -> take(read, 1)));
        say("lookup", () -> client.lookup(SdkBlocks.PARTITION, chain));
        say("reads", () -> reads.forEach(read -> take(read, READ_BLOCKS - 1)));
    }

    private static void take(BlockStream read, int blocks) {
        for (int i = 0; i < blocks; i++) {
            switch (Objects.requireNonNull(read.next())) {
                case BlockResult.Found found -> found.block().close();
                case BlockResult.Failed failed -> throw failed.reason();
                case BlockResult.Missing missing -> throw new IllegalStateException("no block " + missing.index());
            }
        }
    }

    /** Connects while there is no memory for buffers. */
    private void allocate() {
        List<ByteBuf> all = new ArrayList<>();
        try (KvClient other = builder().build()) {
            useUpMemory(all);
            say("lookup", () -> other.lookup(SdkBlocks.PARTITION, chain));
            all.forEach(ByteBuf::release);
            sayOnceWell("later lookup", () -> other.lookup(SdkBlocks.PARTITION, chain));
        }
    }

    private static void useUpMemory(List<ByteBuf> all) {
        for (int bytes = 1 << 20; bytes > 0; bytes /= 2) {
            try {
                while (true) {
                    all.add(PooledByteBufAllocator.DEFAULT.directBuffer(bytes));
                }
            } catch (OutOfMemoryError e) {
                // There is no more of this size.
            }
        }
    }

    /** Uses up all room for stacks, and leaves the JVM some that is too small for a thread of the usual size. */
    private void useUp() {
        CountDownLatch spare = new CountDownLatch(1);
        List<Thread> spares = new ArrayList<>();
        for (int i = 0; i < SPARE_STACKS; i++) {
            spares.add(hog(SMALL_STACK, spare));
        }
        hogAll(SMALL_STACK);
        spare.countDown();
        for (Thread one : spares) {
            join(one);
        }
        hogAll(USUAL_STACK); // of ended threads
    }

    private void hogAll(int stack) {
        try {
            while (true) {
                var _ = hog(stack, release);
            }
        } catch (OutOfMemoryError e) {
            // There is no more.
        }
    }

    private static Thread hog(int stack, CountDownLatch end) {
        Thread hog = new Thread(null, () -> await(end), "hog", stack);
        hog.setDaemon(true);
        hog.start();
        return hog;
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void say(String call, Runnable code) {
        System.out.println(call + ": " + end(code));
    }

    private static String end(Runnable code) {
        try {
            code.run();
            return WELL;
        } catch (KvStoreException e) {
            return e.code().name();
        } catch (RuntimeException | Error e) {
            return e.getCause() instanceof KvStoreException failure
                    ? failure.code().name()
                    : e.getClass().getSimpleName();
        }
    }

    /** Tries until it is well: threads and memory are not there at once, and a connection is tried once in 100 ms. */
    private static void sayOnceWell(String call, Runnable code) {
        while (!end(code).equals(WELL)) {
            Thread.onSpinWait();
        }
        System.out.println(call + ": " + WELL);
    }

    private static final class Failing implements Flow.Subscriber<BlockResult> {
        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(1);
        }

        @Override
        public void onNext(BlockResult result) {}

        @Override
        public void onError(Throwable reason) {
            System.out.println("onError: " + ((KvStoreException) reason).code());
        }

        @Override
        public void onComplete() {}
    }

    @Override
    public void close() {
        client.close();
    }
}
