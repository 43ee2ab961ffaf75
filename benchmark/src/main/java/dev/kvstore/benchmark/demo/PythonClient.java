package dev.kvstore.benchmark.demo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.benchmark.measure.Payload;
import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.benchmark.python.PythonEnvironment;
import dev.kvstore.benchmark.python.PythonProcess;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.stack.LocalStack;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The Python client in a process of its own. Orders go over its standard input; the bytes of blocks go through a file
 * that both processes map, which has a slot for each block of an order. The Python client computes the names of blocks
 * itself, from the tokens.
 */
final class PythonClient implements DemoClient {
    private static final int MAX_SLOTS = 16;
    private static final long FILE_BYTES = 256L << 20;

    private final PythonProcess process;
    private final ByteBuffer[] slots;

    private PythonClient(PythonProcess process, ByteBuffer[] slots) {
        this.process = process;
        this.slots = slots;
    }

    /**
     * Clients in Python, each a process of its own.
     *
     * @param key the API key; goes by the environment, which other users do not see
     * @param folder the folder of the stack, for files and logs
     */
    static DemoClients clients(PythonEnvironment python, String key, int blockBytes, Path folder) {
        return endpoint -> {
            try {
                PythonProcess process = PythonProcess.start(
                        "the Python client",
                        python,
                        "demo",
                        Map.of("KV_API_KEY", key),
                        folder.resolve("logs/python-client.log"));
                return open(process, endpoint, blockBytes, folder);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
    }

    private static PythonClient open(PythonProcess process, String endpoint, int blockBytes, Path folder)
            throws IOException, InterruptedException {
        try {
            Path file = Files.createTempFile(folder, "blocks-", ".bin");
            ByteBuffer[] slots = slots(file, Math.clamp(FILE_BYTES / blockBytes, 1, MAX_SLOTS), blockBytes);
            Map<String, Object> options = Map.of("endpoints", List.of(endpoint), "resource", LocalStack.RESOURCE);
            var _ = process.ask(
                    Map.of("do", "open", "file", file.toString(), "block_bytes", blockBytes, "options", options));
            return new PythonClient(process, slots);
        } catch (IOException | InterruptedException | RuntimeException e) {
            process.close();
            throw e;
        }
    }

    private static ByteBuffer[] slots(Path file, int count, int blockBytes) throws IOException {
        long size = (long) count * blockBytes;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer all = channel.map(FileChannel.MapMode.READ_WRITE, 0, size);
            ByteBuffer[] slots = new ByteBuffer[count];
            Arrays.setAll(slots, i -> all.slice(i * blockBytes, blockBytes));
            return slots;
        }
    }

    @Override
    public int lookup(Prompt prompt) throws InterruptedException {
        JsonNode answer = ask(order("lookup", prompt));
        if (prompt.size() > 0) {
            String name = prompt.chain().hash(prompt.size() - 1).hex();
            String named = answer.path("last").asText();
            if (!named.equals(name)) {
                throw new LaunchException(
                        "the Python client names block " + (prompt.size() - 1) + " " + named + " instead of " + name);
            }
        }
        return answer.path("blocks").asInt();
    }

    @Override
    public void read(Prompt prompt, ReadBlocks blocks) throws InterruptedException {
        for (int first = 0; first < prompt.size(); first += slots.length) {
            int count = Math.min(slots.length, prompt.size() - first);
            tell(piece(order("read", prompt), first, count));
            for (int i = 0; i < count; i++) {
                JsonNode answer = hear();
                int slot = answer.path("block").asInt() - first;
                int length = answer.path("nbytes").asInt();
                if (answer.has("error")) {
                    blocks.take(first + slot, List.of(), answer.get("error").asText());
                } else {
                    blocks.take(first + slot, List.of(slots[slot].slice(0, length)), "");
                }
            }
        }
    }

    @Override
    public void write(Prompt prompt, int first, Acknowledgements blocks) throws InterruptedException {
        for (int from = first; from < prompt.size(); from += slots.length) {
            int count = Math.min(slots.length, prompt.size() - from);
            for (int i = 0; i < count; i++) {
                Payload.fill(prompt.chain().hash(from + i), slots[i]);
            }
            long start = System.nanoTime();
            tell(piece(order("write", prompt), from, count));
            for (int i = 0; i < count; i++) {
                JsonNode answer = hear();
                if (answer.path("stored").asBoolean()) {
                    blocks.stored(start);
                }
            }
        }
    }

    @Override
    public long flaws() throws InterruptedException {
        return ask(Map.of("do", "flaws")).path("flaws").asLong();
    }

    @Override
    public void close() {
        process.close();
    }

    private static Map<String, Object> order(String verb, Prompt prompt) {
        Map<String, Object> order = new HashMap<>();
        order.put("do", verb);
        order.put("partition", prompt.partition().name());
        order.put("block_tokens", prompt.partition().blockTokens());
        order.put(
                "tokens",
                Arrays.copyOf(
                        prompt.tokens(), prompt.size() * prompt.partition().blockTokens()));
        return order;
    }

    private static Map<String, Object> piece(Map<String, Object> order, int first, int count) {
        order.put("first", first);
        order.put("count", count);
        return order;
    }

    private JsonNode ask(Map<String, Object> order) throws InterruptedException {
        tell(order);
        return hear();
    }

    private void tell(Map<String, Object> order) throws InterruptedException {
        try {
            process.tell(order);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private JsonNode hear() throws InterruptedException {
        try {
            return process.hear();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
