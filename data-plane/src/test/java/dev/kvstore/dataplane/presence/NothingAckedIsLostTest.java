package dev.kvstore.dataplane.presence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.presence.log.LogWriter;
import dev.kvstore.dataplane.presence.log.PresenceFiles;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.protocol.block.BlockHash;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.logging.Level;
import java.util.logging.Logger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Processes store blocks, beat, die in the middle of a call and start again; blocks are lost and presence is damaged.
 * They tell each other of some blocks at once, late, more than once, and falsely. Whatever the order: 30 s after a
 * block was acknowledged no process denies it, as long as it is in storage.
 */
final class NothingAckedIsLostTest {
    private static final BlockHash ROOT = new BlockHash(1, 2, 3, 4);
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long BOUND = 30 * SECOND;
    private static final int SECONDS = 180;

    // The log would say some 10,000 times that a process died.
    private static final Logger LOG = Logger.getLogger(NothingAckedIsLostTest.class.getPackageName());

    static {
        LOG.setLevel(Level.OFF);
    }

    private record Acked(long key, long at) {}

    private record AckingMember(String node, MortalStore storage, PartitionPresence presence) {}

    @Property(tries = 600)
    void whateverDiesWhenever(@ForAll long seed) throws Exception {
        new Story(new Random(seed)).run();
    }

    private static final class Story {
        private final MemoryStore storage = new MemoryStore();
        private final MemoryPool pool = new MemoryPool(64 << 20, Duration.ZERO);
        private final List<Acked> acked = new ArrayList<>();
        private final List<AckingMember> processes = new ArrayList<>();
        private final Random random;

        // Where nearly all end in an orderly way, there are logs enough to be merged.
        private final int restartEvery;
        private final int deathEvery;
        private long now;

        Story(Random random) {
            this.random = random;
            boolean orderly = random.nextInt(3) == 0;
            this.restartEvery = orderly ? 8 : 50;
            this.deathEvery = orderly ? 300 : 60;
        }

        void run() throws Exception {
            for (String node : List.of("a", "b", "c")) {
                processes.add(start(node));
            }
            for (int second = 0; second < SECONDS; second++) {
                now += SECOND;
                for (int i = 0; i < processes.size(); i++) {
                    live(i, second);
                }
                if (random.nextInt(5) == 0) {
                    lie();
                }
                if (random.nextInt(40) == 0) {
                    mishap();
                }
                for (AckingMember process : processes) {
                    assertNothingIsDenied(process);
                }
            }
            assertThat(pool.usedBytes()).isZero();
        }

        private AckingMember start(String node) {
            MortalStore mortal = new MortalStore(storage, random);
            PartitionPresence presence = new PartitionPresence(
                    new PresenceFiles(mortal.store(), pool, ROOT),
                    LogWriter.of(node, random),
                    false,
                    () -> now,
                    random,
                    Runnable::run,
                    PresenceMeters.in(new SimpleMeterRegistry()));
            return new AckingMember(node, mortal, presence);
        }

        private void live(int index, int second) {
            AckingMember process = processes.get(index);
            if (!process.storage.isDead() && random.nextInt(deathEvery) == 0) {
                process.storage.dieSoon();
            }
            try {
                if (random.nextInt(3) == 0) {
                    store(process);
                }
                if ((second + index) % Presence.BEAT.toSeconds() == 0) {
                    process.presence.beat(false);
                }
                if (random.nextInt(restartEvery) == 0) {
                    process.presence.beat(true);
                    processes.set(index, start(process.node)); // an orderly restart
                }
            } catch (IOException | MemoryExhaustedException e) {
                assertThat(process.storage.isDead()).as("%s", e).isTrue();
            }
            if (process.storage.isDead() && random.nextInt(20) == 0) {
                processes.set(index, start(process.node));
            }
        }

        private void store(AckingMember process) throws IOException, MemoryExhaustedException {
            long key = random.nextLong();
            process.presence.begin();
            try {
                process.storage.store().putIfAbsent(name(key), ByteBuffer.wrap(new byte[] {1}));
                process.presence.stored(key);
                announce(process, key);
                acked.add(new Acked(key, now));
            } finally {
                process.presence.end();
            }
        }

        /** To whom it gets; what one hears, it believes possible from then on. */
        private void announce(AckingMember by, long key) {
            for (AckingMember other : processes) {
                if (!other.node.equals(by.node) && random.nextBoolean()) {
                    other.presence.heard(List.of(key));
                    assertThat(other.presence.mightContain(key)).isTrue();
                }
            }
        }

        /** Announces blocks that were never stored, and blocks that were stored long ago and may be gone. */
        private void lie() {
            AckingMember process = processes.get(random.nextInt(processes.size()));
            long stale = acked.isEmpty() ? 1 : acked.get(random.nextInt(acked.size())).key;
            process.presence.heard(List.of(random.nextLong(), stale));
        }

        private static String name(long key) {
            String hex = new BlockHash(key, 0, 0, 0).hex();
            return "kv/v1/" + ROOT.hex() + "/" + hex.substring(0, 2) + "/" + hex;
        }

        /** Somebody else's doing. */
        private void mishap() {
            if (random.nextBoolean() && !acked.isEmpty()) {
                long lost = acked.remove(random.nextInt(acked.size())).key;
                storage.lose(name(lost));
                PartitionPresence one = processes.get(random.nextInt(processes.size())).presence;
                one.missing(lost, one.asked());
            } else {
                List<String> blobs = storage.list("kv/v1/" + ROOT.hex() + "/presence/", null, 5000)
                        .names();
                if (!blobs.isEmpty()) {
                    String blob = blobs.get(random.nextInt(blobs.size()));
                    if (blob.contains("/parts/") && random.nextBoolean()) {
                        storage.lose(blob);
                    } else {
                        storage.putZeros(blob, 100);
                    }
                }
            }
        }

        private void assertNothingIsDenied(AckingMember process) {
            boolean trusted = process.presence.prepare();
            if (process.storage.isDead() || !trusted) {
                return;
            }
            for (Acked block : acked) {
                if (now - block.at >= BOUND) {
                    assertThat(process.presence.mightContain(block.key))
                            .as(
                                    "block stored at %d s, process %s at %d s",
                                    block.at / SECOND, process.node, now / SECOND)
                            .isTrue();
                }
            }
        }
    }
}
