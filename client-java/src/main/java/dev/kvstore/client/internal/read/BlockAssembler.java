package dev.kvstore.client.internal.read;

import dev.kvstore.client.Block;
import dev.kvstore.client.BlockResult;
import dev.kvstore.client.CallOptions;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.internal.Errors;
import dev.kvstore.client.internal.LiveCounters;
import dev.kvstore.client.internal.read.ReceivedHead.BlockFlawException;
import dev.kvstore.protocol.answer.v1.AnswerPart;
import dev.kvstore.protocol.block.BlockHasher;
import dev.kvstore.protocol.block.Location;
import io.grpc.Status;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Joins parts into blocks. A block with a wrong part, checksum or name fails with {@code DATA_LOSS}, and does not
 * affect others. One thread at a time uses it.
 */
public final class BlockAssembler implements AutoCloseable {
    private final List<Location> wanted;
    private final int firstIndex;
    private final CallOptions callOptions;
    private final LeakDetector leaks;
    private final LiveCounters counters;
    private final BlockHasher hasher = new BlockHasher();
    private final Queue<BlockResult> ready = new ArrayDeque<>();
    private int position;
    private @Nullable BlockParts open;

    /**
     * @param wanted the blocks, in the order of their arrival
     * @param firstIndex the application's index of the first of these blocks
     * @param callOptions the writers and the length that the application accepts
     */
    public BlockAssembler(
            List<Location> wanted, int firstIndex, CallOptions callOptions, LeakDetector leaks, LiveCounters counters) {
        this.wanted = wanted;
        this.firstIndex = firstIndex;
        this.callOptions = callOptions;
        this.leaks = leaks;
        this.counters = counters;
    }

    /**
     * Takes a part; retains the memory if it keeps bytes of the part.
     *
     * @throws KvStoreException {@code INTERNAL} if the block was not requested
     */
    public void accept(AnswerPart part, ReceivedMessage message) {
        int index = part.getIndex();
        if (index < 0 || index >= wanted.size()) {
            throw Errors.internal("the server sent block " + Integer.toUnsignedString(index) + " of " + wanted.size());
        }
        if (index < position) {
            return; // this part belongs to a block that is lost already
        }
        while (position < index) {
            lose("its last part is missing");
        }
        if (part.hasStatus()) {
            drop();
            refuse(part.getStatus());
            return;
        }
        try {
            if (open == null) {
                open = new BlockParts(wanted.get(position).hash(), hasher);
            }
            open.add(part, message);
            if (part.getLast()) {
                emit(open.toBlock(firstIndex + position, leaks));
            }
        } catch (BlockFlawException e) {
            lose(String.valueOf(e.getMessage()));
        }
    }

    /** Ends the stream, which had no error: blocks that have not arrived will not come. */
    public void end() {
        while (position < wanted.size()) {
            lose("the server ended the stream without it");
        }
    }

    /** The next result, or null if more parts are needed. */
    @Nullable
    public BlockResult poll() {
        return ready.poll();
    }

    /** Gives back all blocks that were not taken. */
    @Override
    public void close() {
        drop();
        for (BlockResult result = ready.poll(); result != null; result = ready.poll()) {
            if (result instanceof BlockResult.Found found) {
                found.block().close();
            }
        }
    }

    private void refuse(com.google.rpc.Status status) {
        Location location = wanted.get(position);
        int index = firstIndex + position;
        emit(
                status.getCode() == Status.Code.NOT_FOUND.value()
                        ? new BlockResult.Missing(index, location)
                        : new BlockResult.Failed(index, location, Errors.of(status)));
    }

    /** Passes a block on, but drops one of another writer or length, which a server of an earlier version may send. */
    private void emit(Block block) {
        if (!callOptions.writers().isEmpty() && !callOptions.writers().contains(block.writer())) {
            block.close();
            emit(new BlockResult.Missing(firstIndex + position, wanted.get(position)));
        } else if (callOptions.expectedBytes() != 0 && block.length() != callOptions.expectedBytes()) {
            int stored = block.length();
            block.close();
            emit(new BlockResult.Failed(
                    firstIndex + position,
                    wanted.get(position),
                    Errors.otherLength(stored, callOptions.expectedBytes())));
        } else {
            emit(new BlockResult.Found(block));
        }
    }

    private void lose(String flaw) {
        drop();
        counters.damagedBlocks.increment();
        Location location = wanted.get(position);
        emit(new BlockResult.Failed(
                firstIndex + position, location, Errors.damaged("block " + location.hash() + ": " + flaw)));
    }

    private void emit(BlockResult result) {
        ready.add(result);
        position++;
        open = null;
    }

    private void drop() {
        if (open != null) {
            open.close();
            open = null;
        }
    }
}
