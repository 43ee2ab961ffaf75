package dev.kvstore.benchmark.kvcache.tier;

import com.github.luben.zstd.ZstdOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;

/**
 * The CSV file of {@code --io-trace-log}: a line for each entry that a tier reads or writes, as the original writes it.
 * Thread-safe.
 */
public final class IoTrace implements AutoCloseable {
    private final PrintWriter file;

    /** Writes to a file, replacing its content; compressed by Zstandard if its name ends in {@code .zst}. */
    public IoTrace(Path path) throws IOException {
        OutputStream out = Files.newOutputStream(path);
        OutputStream plain = path.toString().endsWith(".zst") ? new ZstdOutputStream(out) : out;
        file = new PrintWriter(plain, false, StandardCharsets.UTF_8);
        file.print("Timestamp,Operation,Object_Size_Bytes,Tier,Key,Phase\r\n");
    }

    /**
     * Adds a line.
     *
     * @param operation {@code Read} or {@code Write}
     * @param tier 0 of a GPU, 1 of memory, 2 of storage
     * @param phase {@code Prefill}, {@code Decode} or {@code Evict}
     */
    public void add(Instant at, String operation, long bytes, int tier, String key, String phase) {
        file.print(String.format(
                Locale.ROOT,
                "%d.%06d,%s,%d,Tier-%d,%s,%s\r\n",
                at.getEpochSecond(),
                at.getNano() / 1_000,
                operation,
                bytes,
                tier,
                key,
                phase));
    }

    /** @throws IOException if a line could not be written */
    @Override
    public void close() throws IOException {
        boolean failed = file.checkError();
        file.close();
        if (failed) {
            throw new IOException("the trace could not be written");
        }
    }
}
