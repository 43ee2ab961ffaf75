package dev.kvstore.dataplane.presence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.presence.log.Guards;
import dev.kvstore.dataplane.presence.log.LogWriter;
import dev.kvstore.dataplane.presence.log.PresenceFiles;
import dev.kvstore.dataplane.presence.snapshot.HeapLimit;
import dev.kvstore.dataplane.presence.snapshot.SnapshotFiles;
import dev.kvstore.dataplane.storage.BlobFiles;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.MeteredStore;
import dev.kvstore.dataplane.storage.filesystem.FilesystemStore;
import dev.kvstore.protocol.block.BlockHash;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Processes that share the presence files of one partition. */
abstract class PresenceSetup {
    static final BlockHash ROOT = new BlockHash(1, 2, 3, 4);
    static final String FOLDER = "kv/v1/" + ROOT.hex() + "/presence/";
    static final Duration BEAT = Presence.BEAT;
    static final String ACCOUNT = "account";

    final MemoryPool pool = new MemoryPool(64 << 20, Duration.ZERO);
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    final AtomicLong clock = new AtomicLong();
    final Random random = new Random(1);
    final OneAfterAnother executor = new OneAfterAnother();

    @TempDir
    Path directory;

    MeteredStore store;

    @BeforeEach
    void open() throws IOException {
        store = new MeteredStore(FilesystemStore.open(directory, InstantSource.system()), meters);
    }

    @AfterEach
    void everythingIsGivenBack() {
        store.close();
        assertThat(pool.usedBytes()).isZero();
    }

    /** As hashes are. */
    static long spread(int key) {
        return new SplittableRandom(key).nextLong();
    }

    void mergedPartition() throws Exception {
        for (int i = 0; i <= PartitionLearner.MERGE_LOGS; i++) {
            PartitionPresence writer = process("n" + i);
            store(writer, spread(i));
            writer.beat(true);
        }
    }

    Path part() throws IOException {
        return BlobFiles.file(
                directory, store.list(FOLDER + "parts/", null, 5000).names().getFirst());
    }

    PartitionPresence process(String node) {
        return process(node, false);
    }

    PartitionPresence process(String node, boolean observing) {
        return process(node, observing, store);
    }

    PartitionPresence process(String node, BlockStore storage) {
        return process(node, false, storage);
    }

    PartitionPresence process(String node, boolean observing, BlockStore storage) {
        return process(node, observing, new PresenceFiles(storage, pool, ROOT));
    }

    /** A process with a limit of heap, which the partitions of {@link #ACCOUNT} share. */
    PartitionPresence process(String node, BlockStore storage, HeapLimit heap) {
        return process(node, false, new PresenceFiles(storage, pool, ROOT, new Guards(heap, clock::get).of(ACCOUNT)));
    }

    private PartitionPresence process(String node, boolean observing, PresenceFiles files) {
        return new PartitionPresence(
                files, LogWriter.of(node, random), observing, clock::get, random, executor, PresenceMeters.in(meters));
    }

    /** As a data plane does. */
    void store(PartitionPresence process, long key) throws Exception {
        process.begin();
        try {
            describe();
            block(key);
            process.stored(key);
        } finally {
            process.end();
        }
    }

    void block(long key) throws IOException {
        store.putIfAbsent(blob(key), ByteBuffer.wrap(new byte[] {1}));
    }

    static String blob(long key) {
        String hex = new BlockHash(key, 0, 0, 0).hex();
        return "kv/v1/" + ROOT.hex() + "/" + hex.substring(0, 2) + "/" + hex;
    }

    void describe() throws IOException {
        store.putIfAbsent("kv/v1/" + ROOT.hex() + "/partition.json", ByteBuffer.wrap(new byte[] {1}));
    }

    void advance(Duration time) {
        clock.addAndGet(time.toNanos());
    }

    Path file(String name) {
        return BlobFiles.file(directory, FOLDER + name);
    }

    List<String> logs() throws IOException {
        return store.list(FOLDER, null, 5000).names().stream()
                .map(name -> name.substring(FOLDER.length()))
                .filter(name -> !SnapshotFiles.owns(name))
                .toList();
    }
}
