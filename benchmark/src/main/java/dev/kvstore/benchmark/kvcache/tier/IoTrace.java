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
import java.util.Locale;
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
        READ,
        WRITE
    }

    /** Why it is done. */
    public enum Cause {
        PREFILL,
        DECODE,
        EVICT
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
        String line = "%.6f,%s,%d,Tier-%d,%s,%s\r\n"
                .formatted(epochMicros / MICROS, text(operation), bytes, tier, key, text(cause));
        lock.lock();
        try {
            file.write(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            lock.unlock();
        }
    }

    /** As the original writes it: with a capital first letter. */
    private static String text(Enum<?> constant) {
        return constant.name().charAt(0) + constant.name().substring(1).toLowerCase(Locale.ROOT);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
