package dev.kvstore.benchmark.mainjob;

import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.benchmark.measure.PromptCalls;
import dev.kvstore.benchmark.measure.StoredPrompts;
import dev.kvstore.client.KvClient;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;

/**
 * Lookups and reads of stored prompts, one prompt after the other. The SDK verifies every checksum; besides, each 64th
 * block of a prompt is compared byte for byte. Thread-safe.
 *
 * @param number of the next call
 */
public record MainJobCalls(PromptCalls calls, List<Prompt> prompts, AtomicLong number) {
    private static final int COMPARED = 64;

    public static MainJobCalls of(KvClient client, StoredPrompts stock) {
        return new MainJobCalls(
                new PromptCalls(client, stock.blockBytes(), COMPARED),
                IntStream.range(0, stock.count()).mapToObj(stock::prompt).toList(),
                new AtomicLong());
    }

    /** Lookups, each of a whole prompt. */
    public MainJobOperation lookups() {
        return sample -> {
            Prompt prompt = prompt(number.getAndIncrement());
            measure(sample, 0, () -> calls.lookUp(prompt));
        };
    }

    /** Reads, each of one block in one message. */
    public MainJobOperation reads() {
        return sample -> {
            long mine = number.getAndIncrement();
            Prompt prompt = prompt(mine);
            int index = (int) (mine / prompts.size() % prompt.chain().size());
            measure(sample, 1, () -> calls.read(prompt, index));
        };
    }

    /** StreamingReads, each of a whole prompt. */
    public MainJobOperation streams() {
        return sample -> stream(prompt(number.getAndIncrement()), sample);
    }

    /** Reads all of it once, which brings it into memory as far as there is room. */
    public void heat() {
        ClientSample ignored = new ClientSample();
        prompts.forEach(prompt -> stream(prompt, ignored));
    }

    private Prompt prompt(long call) {
        return prompts.get((int) (call % prompts.size()));
    }

    private void stream(Prompt prompt, ClientSample sample) {
        measure(sample, prompt.chain().size(), () -> calls.stream(prompt));
    }

    private void measure(ClientSample sample, int blocks, IntSupplier call) {
        long start = System.nanoTime();
        int missed = call.getAsInt();
        sample.latency.addSince(start);
        if (missed > 0) {
            throw new IllegalStateException(missed + " stored blocks were not found");
        }
        sample.blocks.add(blocks);
        sample.bytes.add((long) blocks * calls.blockBytes());
    }
}
