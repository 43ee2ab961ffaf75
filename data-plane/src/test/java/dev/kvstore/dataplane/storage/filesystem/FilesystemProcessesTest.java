package dev.kvstore.dataplane.storage.filesystem;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.storage.Blob;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.StoredContents;
import java.io.BufferedReader;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real processes on one directory. */
@Tag("slow")
@Timeout(180)
class FilesystemProcessesTest {
    @TempDir
    Path folder;

    private final MemoryPool memory = new MemoryPool(8 << 20, Duration.ZERO);

    @Test
    void loseNoUpdateOfEachOther() throws Exception {
        try (BlockStore store = FilesystemStore.open(folder, InstantSource.system())) {
            store.putIfAbsent("counter", ByteBuffer.allocateDirect(Integer.BYTES));

            Process one = StoreProcess.start(folder, "increment", 200);
            Process two = StoreProcess.start(folder, "increment", 200);

            assertThat(one.waitFor()).isZero();
            assertThat(two.waitFor()).isZero();
            Blob counter = (Blob) requireNonNull(store.get("counter", BlockStore.MAX_BLOB_BYTES, memory));
            assertThat(counter.memory().bytes().getInt()).isEqualTo(400);
            counter.memory().release();
        }
    }

    @Test
    void leaveWholeBlocksAndAllThatWereAcknowledgedWhenKilled() throws Exception {
        Process writer = StoreProcess.start(folder, "write", 10_000);
        List<String> acknowledged = new ArrayList<>();
        try (BufferedReader output = writer.inputReader()) {
            while (acknowledged.size() < 25) {
                acknowledged.add(requireNonNull(output.readLine()));
            }
            writer.destroyForcibly().waitFor();
        }

        try (BlockStore store = FilesystemStore.open(folder, InstantSource.system())) {
            List<String> names = store.list("", null, 5000).names();
            assertThat(names).containsAll(acknowledged);
            for (String name : names) {
                int seed = Integer.parseInt(name.substring("block/".length()));
                Blob blob = (Blob) requireNonNull(store.get(name, BlockStore.MAX_BLOB_BYTES, memory));
                assertThat(blob.memory().bytes()).isEqualTo(StoredContents.random(seed, StoreProcess.BLOCK_BYTES));
                blob.memory().release();
            }
        }
    }
}
