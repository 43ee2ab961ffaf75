package dev.kvstore.benchmark.kvcache;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;

/**
 * One {@code kv bench kv-cache}, in this process.
 *
 * @param folder for its files; FOLDER in flags
 */
public record CommandTrial(Path folder, int exitCode, String out, String err) {
    /** Runs it; the flags are separated by blanks, and a later one stands over an earlier one. */
    public static CommandTrial of(Path folder, String flags) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = KvCacheCommand.line(new KvCacheCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute((flags + " --output FOLDER/out.json")
                        .replace("FOLDER", folder.toString())
                        .strip()
                        .split(" +", -1));
        return new CommandTrial(folder, exitCode, out.toString(), err.toString());
    }

    /** The original's JSON. */
    public JsonNode results() throws IOException {
        return new ObjectMapper().readTree(folder.resolve("out.json").toFile());
    }

    public JsonNode own() throws IOException {
        return results().at("/summary/kvstore");
    }
}
