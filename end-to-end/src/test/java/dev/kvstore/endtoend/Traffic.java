package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvstore.client.KvClient;
import dev.kvstore.testing.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * Callers that write prompts, look them up and read them, again and again, and remember what was acknowledged.
 * Thread-safe.
 */
final class Traffic implements AutoCloseable {
    private static final int CALLERS = 4;
    private static final int BLOCKS = 3;
    private static final int BLOCK_BYTES = 50_000;

    /**
     * By then every process counts a block in its lookups, whichever stored it; until then it may be one that was not
     * asked to.
     */
    private static final Duration COUNTED_WITHIN = Duration.ofSeconds(30);

    private final KvClient client;
    private final List<Written> written = new ArrayList<>();
    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger rounds = new AtomicInteger();
    private final List<Thread> callers;
    private volatile boolean over;

    /**
     * A prompt whose blocks were acknowledged.
     *
     * @param seed says what is in them
     * @param at when, in nanoseconds
     */
    private record Written(TestPrompt prompt, long seed, long at) {}

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
                TestPrompt prompt = TestPrompt.unique(BLOCKS);
                long seed = rounds.get();
                for (int i = 0; i < BLOCKS; i++) {
                    client.write(prompt.partition(), prompt.block(i, bytes(seed, i)));
                }
                Written mine = new Written(prompt, seed, System.nanoTime());
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

    private static byte[] bytes(long seed, int block) {
        return TestPrompt.bytes(BLOCK_BYTES, seed * BLOCKS + block);
    }

    private static void check(KvClient client, Written written) {
        TestPrompt prompt = written.prompt();
        boolean counted = System.nanoTime() - written.at() > COUNTED_WITHIN.toNanos();
        assertThat(client.lookup(prompt.partition(), prompt.chain()).cachedBlocks())
                .isBetween(counted ? BLOCKS : 0, BLOCKS);
        Stacks.assertHolds(client, prompt.chain(), block -> bytes(written.seed(), block));
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

    /**
     * Waits until every block is to be counted, and holds if a client finds all of them with the bytes that were
     * written.
     */
    void assertNothingIsLost(KvClient reader) {
        List<Written> all;
        synchronized (written) {
            all = List.copyOf(written);
        }
        // Nobody writes any more, so the last ones were counted 30 s from now at the latest.
        await().atMost(COUNTED_WITHIN.plus(Patience.LIMIT)).untilAsserted(() -> {
            for (Written one : all) {
                assertThat(reader.lookup(one.prompt().partition(), one.prompt().chain())
                                .cachedBlocks())
                        .isEqualTo(BLOCKS);
            }
        });
        all.forEach(one -> check(reader, one));
    }

    @Override
    public void close() {
        stop();
    }

    /** Ends the callers. */
    void stop() {
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
