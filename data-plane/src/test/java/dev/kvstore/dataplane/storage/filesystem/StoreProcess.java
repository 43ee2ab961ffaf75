package dev.kvstore.dataplane.storage.filesystem;

import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.storage.Blob;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.PutResult;
import dev.kvstore.dataplane.storage.StoredContents;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;

/** Another process that works on a directory. */
final class StoreProcess {
    /** Bytes of each block that {@code write} puts. */
    static final int BLOCK_BYTES = 1 << 20;

    private static final MemoryPool MEMORY = new MemoryPool(1 << 20, Duration.ZERO);

    private StoreProcess() {}

    /** Starts one in a JVM of its own. */
    static Process start(Path directory, String job, int count) throws Exception {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                StoreProcess.class.getName(),
                directory.toString(),
                job,
                Integer.toString(count));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    static void main(String[] arguments) throws Exception {
        try (BlockStore store = FilesystemStore.open(Path.of(arguments[0]), InstantSource.system())) {
            int count = Integer.parseInt(arguments[2]);
            switch (arguments[1]) {
                case "increment" -> increment(store, count);
                case "write" -> write(store, count, System.out);
                default -> throw new IllegalArgumentException(arguments[1]);
            }
        }
    }

    private static void increment(BlockStore store, int times) throws Exception {
        int done = 0;
        while (done < times) {
            Blob blob = (Blob) Objects.requireNonNull(store.get("counter", BlockStore.MAX_BLOB_BYTES, MEMORY));
            ByteBuffer next = ByteBuffer.allocateDirect(Integer.BYTES)
                    .putInt(blob.memory().bytes().getInt() + 1)
                    .flip();
            blob.memory().release();
            if (store.putIfMatch("counter", next, blob.etag()) instanceof PutResult.Stored) {
                done++;
            }
        }
    }

    private static void write(BlockStore store, int blocks, PrintStream acknowledged) throws Exception {
        for (int i = 0; i < blocks; i++) {
            store.putIfAbsent("block/" + i, StoredContents.random(i, BLOCK_BYTES));
            acknowledged.println("block/" + i);
        }
    }
}
