package dev.kvstore.dataplane.warming;

import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.Blocks;
import dev.kvstore.dataplane.block.Fetched;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.block.Written;
import dev.kvstore.dataplane.memory.Allocator;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.presence.Presence;
import dev.kvstore.dataplane.region.Landing;
import dev.kvstore.dataplane.storage.Blob;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.Misfit;
import dev.kvstore.dataplane.storage.Put;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.tier.Tiers;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.control.v1.Copying.Preheat;
import java.lang.System.Logger.Level;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Copies a block from one storage to another, or lets the target fetch it by itself where it can. The block is
 * verified, made durable, then presence learns of it, and the block is preheated if the warming asks for that. A block
 * that the target has already is not read. Calls block until done. Thread-safe.
 */
final class BlockCopier {
    private static final System.Logger LOG = System.getLogger(BlockCopier.class.getName());

    /** The parts that all copying of a process shares. */
    record Parts(
            Blocks blocks,
            Presence presence,
            Tiers tiers,
            Allocator memory,
            Landing landing,
            Consumer<BlockKey> copied) {}

    private final Parts parts;
    private final Way way;
    private final Preheat preheat;
    private final Allowance allowance;

    BlockCopier(Parts parts, Way way, Preheat preheat, Allowance allowance) {
        this.parts = parts;
        this.way = way;
        this.preheat = preheat;
        this.allowance = allowance;
    }

    @FunctionalInterface
    private interface Call<T extends @Nullable Object> {
        T run() throws StorageException, MemoryExhaustedException;
    }

    private static <T extends @Nullable Object> T atSource(Call<T> call) throws Trouble, MemoryExhaustedException {
        return at("source", call);
    }

    private static <T extends @Nullable Object> T atTarget(Call<T> call) throws Trouble, MemoryExhaustedException {
        return at("destination", call);
    }

    private static <T extends @Nullable Object> T at(String side, Call<T> call)
            throws Trouble, MemoryExhaustedException {
        try {
            return call.run();
        } catch (StorageException e) {
            throw new Trouble(side, e);
        }
    }

    /**
     * Copies a block. The {@link Allowance} must have been waited for before.
     *
     * @param bytes its expected length
     */
    Outcome copy(BlockHash root, BlockHash hash, int bytes) throws Trouble, MemoryExhaustedException {
        BlockKey key = new BlockKey(atTarget(way::to), root, hash);
        BlockStore target = atTarget(way::target);
        long read = parts.landing().version();
        if (atTarget(() -> parts.presence().isStored(key, target))) {
            if (!warmed(key, target)) {
                allowance.unused(bytes);
            }
            return new Outcome.Present();
        }
        BlockStore source = atSource(way::source);
        if (target.followsLinks() && hasLink(key, source)) {
            Outcome outcome = fetchedByItself(key, read, source, target);
            if (outcome != null) {
                return outcome;
            }
        }
        return switch (atSource(() -> source.get(key.blobName(), BlockStore.MAX_BLOB_BYTES, parts.memory()))) {
            case null -> new Outcome.Failed("it is not at the source any more", false);
            case Misfit misfit ->
                new Outcome.Failed("damaged at the source: it has " + misfit.length() + " bytes", false);
            case Blob blob -> {
                try {
                    allowance.correct(blob.memory().length() - bytes);
                    yield switch (Blocks.verify(key, blob.memory())) {
                        case Fetched.Absent _ ->
                            new Outcome.Failed("at the source it is in a format that this version cannot read", false);
                        case Fetched.Damaged(String flaw) ->
                            new Outcome.Failed("damaged at the source: " + flaw, false);
                        case Fetched.Found(StoredBlock block, boolean _) -> write(key, block, read, source, target);
                    };
                } finally {
                    blob.memory().release();
                }
            }
        };
    }

    private Outcome write(BlockKey key, StoredBlock block, long read, BlockStore source, BlockStore target)
            throws Trouble, MemoryExhaustedException {
        return switch (atTarget(
                () -> parts.landing().land(key, block, read, source, target, near -> keepNear(key, near)))) {
            case Written.Stored _ -> {
                parts.copied().accept(key);
                yield new Outcome.Copied(block.memory().length());
            }
            case Written.Present _ -> new Outcome.Present();
            case Written.Unreadable(int version) ->
                new Outcome.Failed("at the destination it is there in format " + version, false);
        };
    }

    /**
     * Lets the target fetch a block by itself, then reads and verifies the block there.
     *
     * @return null if the block must be copied through this process, to find out what is wrong and where
     */
    private @Nullable Outcome fetchedByItself(BlockKey key, long read, BlockStore source, BlockStore target)
            throws Trouble, MemoryExhaustedException {
        return atTarget(() -> {
            try (var _ = parts.landing().copy(key, read);
                    Presence.Writing writing = parts.presence().begin(key, target)) {
                parts.landing().describe(key, source, target);
                boolean copied;
                try {
                    copied = target.copyFrom(source, key.blobName(), parts.memory()) instanceof Put.Stored;
                } catch (StorageException e) {
                    LOG.log(
                            Level.DEBUG,
                            "{0} is read and written, as storage could not copy it: {1}",
                            key.blobName(),
                            e.getMessage());
                    return null;
                }
                return switch (parts.blocks().fetch(target, key)) {
                    case Fetched.Found(StoredBlock block, boolean _) -> {
                        try {
                            keepNear(key, block);
                            writing.stored();
                            if (!copied) {
                                yield new Outcome.Present();
                            }
                            parts.copied().accept(key);
                            yield new Outcome.Copied(block.memory().length());
                        } finally {
                            block.release();
                        }
                    }
                    // One that was there, and is not any more.
                    case Fetched.Damaged(String flaw) ->
                        copied ? new Outcome.Failed("damaged at the source: " + flaw, false) : null;
                    case Fetched.Absent _ ->
                        new Outcome.Failed("it is in a format that this version cannot read", false);
                };
            }
        });
    }

    /** Whether the source can make a link. An identity may be allowed to read, and not to sign links. */
    private static boolean hasLink(BlockKey key, BlockStore source) {
        try {
            return source.link(key.blobName()) != null;
        } catch (StorageException e) {
            LOG.log(
                    Level.DEBUG,
                    "{0} is read and written, as there is no link to it: {1}",
                    key.blobName(),
                    e.getMessage());
            return false;
        }
    }

    /** Preheats a block that is stored. Answers whether it was fetched for that. */
    private boolean warmed(BlockKey key, BlockStore target) throws Trouble, MemoryExhaustedException {
        if (preheat == Preheat.STORAGE || parts.tiers().isResident(key)) {
            return false;
        }
        if (atTarget(() -> parts.blocks().fetch(target, key)) instanceof Fetched.Found(StoredBlock block, boolean _)) {
            try {
                keepNear(key, block);
            } finally {
                block.release();
            }
        }
        return true;
    }

    private void keepNear(BlockKey key, StoredBlock block) {
        if (preheat != Preheat.STORAGE) {
            boolean _ = parts.tiers().preheat(key, block, preheat == Preheat.MEMORY);
        }
    }
}
