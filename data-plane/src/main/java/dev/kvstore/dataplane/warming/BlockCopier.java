package dev.kvstore.dataplane.warming;

import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.Fetched;
import dev.kvstore.dataplane.block.StoreOutcome;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.block.VerifiedBlocks;
import dev.kvstore.dataplane.memory.Allocator;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.presence.Presence;
import dev.kvstore.dataplane.region.VerifiedBlockImporter;
import dev.kvstore.dataplane.storage.ArchivedBlob;
import dev.kvstore.dataplane.storage.Blob;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.PutResult;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.WrongSizeBlob;
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
    record CopierDependencies(
            VerifiedBlocks blocks,
            Presence presence,
            Tiers tiers,
            Allocator memory,
            VerifiedBlockImporter landing,
            Consumer<BlockKey> copied) {}

    private final CopierDependencies dependencies;
    private final CopyEndpoints endpoints;
    private final Preheat preheat;
    private final Allowance allowance;

    BlockCopier(CopierDependencies dependencies, CopyEndpoints endpoints, Preheat preheat, Allowance allowance) {
        this.dependencies = dependencies;
        this.endpoints = endpoints;
        this.preheat = preheat;
        this.allowance = allowance;
    }

    @FunctionalInterface
    private interface CopyCall<T extends @Nullable Object> {
        T run() throws StorageException, MemoryExhaustedException;
    }

    private static <T extends @Nullable Object> T atSource(CopyCall<T> call)
            throws CopyException, MemoryExhaustedException {
        return at("source", call);
    }

    private static <T extends @Nullable Object> T atTarget(CopyCall<T> call)
            throws CopyException, MemoryExhaustedException {
        return at("destination", call);
    }

    private static <T extends @Nullable Object> T at(String side, CopyCall<T> call)
            throws CopyException, MemoryExhaustedException {
        try {
            return call.run();
        } catch (StorageException e) {
            throw new CopyException(side, e);
        }
    }

    /**
     * Copies a block. The {@link Allowance} must have been waited for before.
     *
     * @param bytes its expected length
     */
    CopyOutcome copy(BlockHash root, BlockHash hash, int bytes) throws CopyException, MemoryExhaustedException {
        BlockKey key = new BlockKey(atTarget(endpoints::to), root, hash);
        BlockStore target = atTarget(endpoints::target);
        long read = dependencies.landing().version();
        if (atTarget(() -> dependencies.presence().isStored(key, target))) {
            if (preheat == Preheat.STORAGE || dependencies.tiers().isResident(key)) {
                allowance.unused(bytes);
                return new CopyOutcome.AlreadyThere();
            }
            if (isPreheated(key, target)) {
                return new CopyOutcome.AlreadyThere();
            }
        }
        BlockStore source = atSource(endpoints::source);
        if (target.followsLinks() && hasLink(key, source)) {
            CopyOutcome outcome = fetchedByItself(key, read, source, target);
            if (outcome != null) {
                return outcome;
            }
        }
        return switch (atSource(() -> source.get(key.blobName(), BlockStore.MAX_BLOB_BYTES, dependencies.memory()))) {
            case null -> new CopyOutcome.CopyFailed("it is not at the source any more", false);
            case ArchivedBlob _ -> new CopyOutcome.CopyFailed("it is archived at the source", false);
            case WrongSizeBlob misfit ->
                new CopyOutcome.CopyFailed("damaged at the source: it has " + misfit.length() + " bytes", false);
            case Blob blob -> {
                try {
                    allowance.correct(blob.memory().length() - bytes);
                    yield switch (VerifiedBlocks.verify(key, blob.memory())) {
                        case Fetched.Absent _ ->
                            new CopyOutcome.CopyFailed(
                                    "at the source it is in a format that this version cannot read", false);
                        case Fetched.Damaged(String flaw, boolean _) ->
                            new CopyOutcome.CopyFailed("damaged at the source: " + flaw, false);
                        case Fetched.FetchedBlock(StoredBlock block, boolean _) ->
                            write(key, block, read, source, target);
                    };
                } finally {
                    blob.memory().release();
                }
            }
        };
    }

    private CopyOutcome write(BlockKey key, StoredBlock block, long read, BlockStore source, BlockStore target)
            throws CopyException, MemoryExhaustedException {
        Tiers.BlockMoment moment = dependencies.tiers().now(key);
        return switch (atTarget(() -> dependencies
                .landing()
                .land(key, block, read, source, target, near -> keepNear(key, near, refreshed(key, moment))))) {
            case StoreOutcome.BlockStored _ -> {
                dependencies.copied().accept(key);
                yield new CopyOutcome.Copied(block.memory().length());
            }
            case StoreOutcome.BlockPresent _ -> new CopyOutcome.AlreadyThere();
            case StoreOutcome.Unreadable(int version) ->
                new CopyOutcome.CopyFailed("at the destination it is there in format " + version, false);
        };
    }

    /**
     * Lets the target fetch a block by itself, then reads and verifies the block there.
     *
     * @return null if the block must be copied through this process, to find out what is wrong and where
     */
    private @Nullable CopyOutcome fetchedByItself(BlockKey key, long read, BlockStore source, BlockStore target)
            throws CopyException, MemoryExhaustedException {
        return atTarget(() -> {
            try (var _ = dependencies.landing().copy(key, read);
                    Presence.PendingWrite writing = dependencies.presence().begin(key, target)) {
                dependencies.landing().describe(key, source, target);
                Tiers.BlockMoment moment = dependencies.tiers().now(key);
                boolean copied;
                try {
                    PutResult put = target.copyFrom(source, key.blobName(), dependencies.memory());
                    copied = !(put instanceof PutResult.ConditionFailed(boolean isMaybeOwn)) || isMaybeOwn;
                } catch (StorageException e) {
                    LOG.log(
                            Level.DEBUG,
                            "{0} is read and written, as storage could not copy it: {1}",
                            key.blobName(),
                            e.getMessage());
                    return null;
                }
                return switch (dependencies.blocks().fetch(target, key)) {
                    case Fetched.FetchedBlock(StoredBlock block, boolean _) -> {
                        try {
                            keepNear(key, block, copied ? refreshed(key, moment) : moment);
                            if (!copied) {
                                var _ = writing.wasStored(block.header().bufferBytes());
                                yield new CopyOutcome.AlreadyThere();
                            }
                            var _ = writing.stored(block.header().bufferBytes());
                            dependencies.copied().accept(key);
                            yield new CopyOutcome.Copied(block.memory().length());
                        } finally {
                            block.release();
                        }
                    }
                    // The block was there, and is not any more.
                    case Fetched.Damaged(String flaw, boolean _) ->
                        copied ? new CopyOutcome.CopyFailed("damaged at the source: " + flaw, false) : null;
                    // A block that is archived here is replaced by a block that comes through this process.
                    case Fetched.Absent _ ->
                        copied
                                ? new CopyOutcome.CopyFailed("it is in a format that this version cannot read", false)
                                : null;
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

    /** Preheats a block that is stored; false if it proves to be damaged or gone, so that it must be copied. */
    private boolean isPreheated(BlockKey key, BlockStore target) throws CopyException, MemoryExhaustedException {
        Presence.ExistenceQuery query = dependencies.presence().asked(key);
        Tiers.BlockMoment moment = dependencies.tiers().now(key);
        if (atTarget(() -> dependencies.blocks().fetch(target, key))
                instanceof Fetched.FetchedBlock(StoredBlock block, boolean _)) {
            try {
                keepNear(key, block, moment);
                return true;
            } finally {
                block.release();
            }
        }
        dependencies.presence().missing(key, query);
        return false;
    }

    /** Storage has the block as it was copied, so an older one goes. */
    private Tiers.BlockMoment refreshed(BlockKey key, Tiers.BlockMoment moment) {
        return dependencies.tiers().forget(key, moment);
    }

    private void keepNear(BlockKey key, StoredBlock block, Tiers.BlockMoment moment) {
        if (preheat != Preheat.STORAGE) {
            boolean _ = dependencies.tiers().preheat(key, block, moment, preheat == Preheat.MEMORY);
        }
    }
}
