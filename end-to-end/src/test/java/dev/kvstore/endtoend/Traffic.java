package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvstore.client.KvClient;
import dev.kvstore.testing.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Callers that write prompts, look them up and read them, again and again, and remember what was acknowledged. Thread-safe. */
final class Traffic implements AutoCloseable {
    private static final int CALLERS = 4;
    private static final int BLOCKS = 3;
    private static final int BLOCK_BYTES = 50_000;

    private final KvClient client;
    private final List<Written> written = new ArrayList<>();
    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger rounds = new AtomicInteger();
    private final List<Thread> callers;
    private volatile boolean over;

    /** A prompt whose blocks were acknowledged; the seed says what is in them. */
    private record Written(Prompt prompt, long seed) {}

    private Traffic(KvClient client) {
        this.client = client;
        this.callers = IntStream.range(0, CALLERS)
                .mapToObj(_ -> Thread.startVirtualThread(this::call))
                .toList();
    }

    /** @param client is not closed */
    static Traffic begin(KvClient client) {
        return new Traffic(client);
    }

    private void call() {
        while (!over) {
            try {
                Written mine = new Written(Prompt.unique(BLOCKS), rounds.get());
                for (int i = 0; i < BLOCKS; i++) {
                    client.write(mine.prompt().partition(), mine.prompt().block(i, bytes(mine, i)));
                }
                synchronized (written) {
                    written.add(mine);
                }
                check(client, mine);
                check(client, any());
                rounds.incrementAndGet();
            } catch (RuntimeException | AssertionError e) {
                failures.add(String.valueOf(e.getMessage()));
            }
        }
    }

    private Written any() {
        synchronized (written) {
            return written.get(ThreadLocalRandom.current().nextInt(written.size()));
        }
    }

    private static byte[] bytes(Written written, int block) {
        return Prompt.bytes(BLOCK_BYTES, written.seed() * BLOCKS + block);
    }

    private static void check(KvClient client, Written written) {
        Prompt prompt = written.prompt();
        assertThat(client.lookup(prompt.partition(), prompt.chain()).cachedBlocks())
                .isEqualTo(BLOCKS);
        Stacks.assertHolds(client, prompt.chain(), block -> bytes(written, block));
    }

    /** Waits until so many more rounds of calls have ended. */
    void awaitMore(int more) {
        int goal = rounds.get() + more;
        await().atMost(Patience.LIMIT).until(() -> rounds.get() >= goal || !failures.isEmpty());
    }

    /** Messages of calls that failed, retries included. */
    List<String> failures() {
        return List.copyOf(failures);
    }

    /** How many prompts were written, looked up and read. */
    int rounds() {
        return rounds.get();
    }

    /** Holds if a client finds every block that was acknowledged, and in it the bytes that were written. */
    void assertNothingIsLost(KvClient reader) {
        List<Written> all;
        synchronized (written) {
            all = List.copyOf(written);
        }
        all.forEach(one -> check(reader, one));
    }

    /** Ends the callers. */
    @Override
    public void close() {
        over = true;
        for (Thread caller : callers) {
            try {
                caller.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
