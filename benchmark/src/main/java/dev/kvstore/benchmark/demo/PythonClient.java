package dev.kvstore.benchmark.demo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.benchmark.python.PythonProcess;
import dev.kvstore.launcher.LaunchException;
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
     * Starts it.
     *
     * @param options of the client's constructor
     */
    static PythonClient start(PythonClients clients, String resource, Map<String, Object> options)
            throws IOException, InterruptedException {
        int blockBytes = clients.blockBytes();
        int count = Math.clamp(FILE_BYTES / blockBytes, 1, MAX_SLOTS);
        Path file = Files.createTempFile(clients.folder(), "blocks-", ".bin");
        PythonProcess process = PythonProcess.start(
                "the Python client",
                clients.python(),
                "demo",
                Map.of("KV_API_KEY", clients.key()),
                clients.folder().resolve("logs/python-client.log"));
        try {
            PythonClient client = new PythonClient(process, slots(file, count, blockBytes));
            Map<String, Object> order = new HashMap<>(options);
            order.put("resource", resource);
            var _ = process.ask(
                    Map.of("do", "open", "file", file.toString(), "block_bytes", blockBytes, "options", order));
            return client;
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
    public int lookup(DemoPrompt prompt) throws InterruptedException {
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
    public void read(DemoPrompt prompt, ReadBlocks blocks) throws InterruptedException {
        for (int first = 0; first < prompt.size(); first += slots.length) {
            int count = Math.min(slots.length, prompt.size() - first);
            tell(piece(order("read", prompt), first, count));
            for (int i = 0; i < count; i++) {
                JsonNode answer = hear();
                int slot = answer.path("block").asInt() - first;
                int length = answer.path("nbytes").asInt();
                if (answer.has("error")) {
                    blocks.missing(first + slot, answer.get("error").asText());
                } else {
                    blocks.found(first + slot, List.of(slots[slot].slice(0, length)));
                }
            }
        }
    }

    @Override
    public void write(DemoPrompt prompt, int first, WrittenBlocks blocks) throws InterruptedException {
        for (int from = first; from < prompt.size(); from += slots.length) {
            int count = Math.min(slots.length, prompt.size() - from);
            for (int i = 0; i < count; i++) {
                blocks.compute(from + i, slots[i]);
            }
            long start = System.nanoTime();
            tell(piece(order("write", prompt), from, count));
            for (int i = 0; i < count; i++) {
                JsonNode answer = hear();
                if (answer.path("stored").asBoolean()) {
                    blocks.stored(answer.path("block").asInt(), start);
                }
            }
        }
    }

    @Override
    public long flaws() throws InterruptedException {
        return ask(Map.of("do", "flaws")).path("flaws").asLong();
    }

    @Override
    public String about() throws InterruptedException {
        return ask(Map.of("do", "about")).path("about").asText();
    }

    @Override
    public void close() {
        process.close();
    }

    private static Map<String, Object> order(String verb, DemoPrompt prompt) {
        Map<String, Object> order = new HashMap<>();
        order.put("do", verb);
        order.put("partition", prompt.partition().name());
        order.put("block_tokens", prompt.partition().blockTokens());
        order.put("tokens", prompt.blockTokens());
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
