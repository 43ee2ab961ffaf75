package dev.kvstore.dataplane.presence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvstore.dataplane.presence.log.Guards;
import dev.kvstore.dataplane.presence.log.LogWriter;
import dev.kvstore.dataplane.presence.log.PresenceFiles;
import dev.kvstore.dataplane.storage.HookedStore;
import dev.kvstore.dataplane.storage.ReadLimits;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Knowledge that storage does not let be renewed denies no block that others stored more than 30 s ago. */
final class OutdatedViewTest extends PresenceSetup {
    @Test
    void aReaderThatMayNotListDeniesNoBlockAcknowledged30sAgo() throws Exception {
        AtomicBoolean throttled = new AtomicBoolean();
        PartitionPresence reader = process(
                "r",
                new HookedStore(store)
                        .before((operation, _) -> {
                            if (throttled.get() && operation.equals("list")) {
                                throw new StorageException(Kind.THROTTLED, "503", null);
                            }
                        })
                        .store());
        PartitionPresence writer = process("w");
        store(writer, spread(1));
        writer.beat(true);
        reader.prepare();
        assertThat(reader.mightContain(spread(1))).isTrue();
        throttled.set(true);
        PartitionPresence second = process("x");
        store(second, spread(2));

        for (int i = 0; i < 120; i++) {
            advance(BEAT);
            second.beat(false);
            boolean trusted = reader.prepare();
            if (i * BEAT.toSeconds() >= 30) {
                assertThat(trusted && !reader.mightContain(spread(2)))
                        .as("denied %s after it was acknowledged", BEAT.multipliedBy(i + 1))
                        .isFalse();
            }
        }
    }

    @Test
    void aReaderDeniesNoBlockAcknowledged30sAgoWhileStoragesOfOthersHang() throws Exception {
        Guards guards = new Guards(
                dev.kvstore.dataplane.presence.snapshot.HeapLimit.of(
                        0, Runtime.getRuntime().maxMemory()),
                clock::get);
        PartitionPresence reader = new PartitionPresence(
                new PresenceFiles(store, pool, ROOT, guards.of(ACCOUNT)),
                LogWriter.of("r", random),
                false,
                clock::get,
                random,
                executor,
                PresenceMeters.in(meters));
        PartitionPresence writer = process("w");
        store(writer, spread(1));
        writer.beat(true);
        reader.prepare();
        CountDownLatch over = new CountDownLatch(1);
        List<Thread> hanging = new ArrayList<>();
        AtomicInteger begun = new AtomicInteger();
        for (int i = 0; i < ReadLimits.SLOW_READS + 40; i++) {
            String other = "other" + i / ReadLimits.ACCOUNT_SLOW_READS;
            hanging.add(Thread.startVirtualThread(() -> {
                try {
                    boolean _ = guards.of(other).reads().read(other, () -> {
                        begun.incrementAndGet();
                        awaitQuietly(over);
                        return true;
                    });
                } catch (Exception e) {
                    // It is refused.
                }
            }));
        }
        await().atMost(Duration.ofSeconds(20)).until(() -> begun.get() >= ReadLimits.SLOW_READS);
        Thread.sleep(1500);
        PartitionPresence second = process("x");
        store(second, spread(2));
        second.beat(false);

        try {
            for (int i = 0; i < 24; i++) {
                advance(BEAT);
                second.beat(false);
                boolean trusted = reader.prepare();
                if (i * BEAT.toSeconds() >= 30) {
                    assertThat(trusted && !reader.mightContain(spread(2)))
                            .as("denied %s after it was acknowledged", BEAT.multipliedBy(i + 1))
                            .isFalse();
                }
            }
        } finally {
            over.countDown();
            for (Thread thread : hanging) {
                thread.join();
            }
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
