package dev.kvstore.benchmark.kvcache.tier;

import com.github.luben.zstd.ZstdOutputStream;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The CSV file of {@code --io-trace-log}: a line for each entry that a tier reads or writes, as the original writes it.
 * Thread-safe.
 */
public final class IoTrace implements AutoCloseable {
    private static final double MICROS = 1e6;

    private final ReentrantLock lock = new ReentrantLock();
    private final Writer file;

    /** An operation on an entry. */
    public enum TraceOperation {
        READ("Read"),
        WRITE("Write");

        private final String text;

        TraceOperation(String text) {
            this.text = text;
        }
    }

    /** Why it is done. */
    public enum Cause {
        PREFILL("Prefill"),
        DECODE("Decode"),
        EVICT("Evict");

        private final String text;

        Cause(String text) {
            this.text = text;
        }
    }

    /** Writes to a file, replacing its content; compressed by Zstandard if its name ends in {@code .zst}. */
    public IoTrace(Path path) throws IOException {
        OutputStream out = Files.newOutputStream(path);
        OutputStream plain = path.toString().endsWith(".zst") ? new ZstdOutputStream(out) : out;
        BufferedWriter opened = new BufferedWriter(new OutputStreamWriter(plain, StandardCharsets.UTF_8));
        opened.write("Timestamp,Operation,Object_Size_Bytes,Tier,Key,Phase\r\n");
        file = opened;
    }

    /**
     * Adds a line.
     *
     * @param tier 0 of a GPU, 1 of memory, 2 of storage
     */
    public void add(long epochMicros, TraceOperation operation, long bytes, int tier, String key, Cause cause) {
        String line = String.join(
                ",",
                List.of(
                        "%.6f".formatted(epochMicros / MICROS),
                        operation.text,
                        Long.toString(bytes),
                        "Tier-" + tier,
                        key,
                        cause.text));
        lock.lock();
        try {
            file.write(line + "\r\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
