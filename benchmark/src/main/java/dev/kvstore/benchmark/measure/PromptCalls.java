package dev.kvstore.benchmark.measure;

import dev.kvstore.client.Block;
import dev.kvstore.client.BlockResult;
import dev.kvstore.client.BlockStream;
import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.NewBlock;
import java.nio.ByteBuffer;

/**
 * Requests for prompts whose blocks have the bytes of {@link Payload}. Each throws an {@link IllegalStateException} if
 * another byte comes back, and what the client throws. Thread-safe.
 *
 * @param blockBytes of each block
 * @param compared each so manieth block of a prompt is compared byte for byte, the others have the right length; 1 for
 *     all
 */
public record PromptCalls(KvClient client, int blockBytes, int compared) {
    public PromptCalls(KvClient client, int blockBytes) {
        this(client, blockBytes, 1);
    }

    /** Looks a prompt up; returns how many of its blocks are not there. */
    public int lookUp(Prompt prompt) {
        return prompt.chain().size()
                - client.lookup(prompt.partition(), prompt.chain()).cachedBlocks();
    }

    /** Reads a prompt as one stream; returns how many of its blocks are not there. */
    public int stream(Prompt prompt) {
        int missed = 0;
        try (BlockStream stream = client.read(prompt.chain())) {
            for (BlockResult result : stream) {
                switch (result) {
                    case BlockResult.Found(Block found) -> verify(found, prompt, found.index());
                    case BlockResult.Missing _ -> missed++;
                    case BlockResult.Failed failed -> throw failed.reason();
                }
            }
        }
        return missed;
    }

    /** Reads one block in one message; returns 1 if it is not there. */
    public int read(Prompt prompt, int index) {
        try {
            verify(client.readBlock(prompt.chain().location(index)), prompt, index);
            return 0;
        } catch (KvStoreException e) {
            if (e.code() == ErrorCode.NOT_FOUND) {
                return 1;
            }
            throw e;
        }
    }

    private void verify(Block found, Prompt prompt, int index) {
        try (Block block = found) {
            boolean same = index % compared == 0
                    ? Payload.firstDifference(prompt.chain().hash(index), blockBytes, block.buffers()) < 0
                    : block.length() == blockBytes;
            if (!same) {
                throw new IllegalStateException(
                        "block " + prompt.chain().hash(index) + " has other bytes than were written");
            }
        }
    }

    /** Writes all blocks of a prompt, each by a request of its own. */
    public void write(Prompt prompt) {
        ByteBuffer buffer = ByteBuffer.allocate(blockBytes);
        for (int i = 0; i < prompt.chain().size(); i++) {
            Payload.fill(prompt.chain().hash(i), buffer);
            var _ = client.write(prompt.partition(), NewBlock.of(prompt.chain(), i, prompt.block(i), buffer));
        }
    }
}
