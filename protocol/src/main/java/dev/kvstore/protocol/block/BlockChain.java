package dev.kvstore.protocol.block;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;

/**
 * The names of a prompt's whole blocks, first block first. Immutable and thread-safe; 32 bytes per block.
 */
public final class BlockChain {
    private static final ByteBuffer NO_EXTRA = ByteBuffer.allocate(0).asReadOnlyBuffer();

    private final BlockHash root;
    private final HashBytes hashes;
    private final int size;

    private BlockChain(BlockHash root, HashBytes hashes) {
        this(root, hashes, hashes.size() / BlockHash.BYTES);
    }

    private BlockChain(BlockHash root, HashBytes hashes, int size) {
        this.root = root;
        this.hashes = hashes;
        this.size = size;
    }

    /** The chain of a prompt. Tokens beyond its last whole block are ignored. */
    public static BlockChain of(Partition partition, Tokens prompt) {
        return of(partition, prompt, List.of());
    }

    /**
     * The chain of a prompt whose blocks carry more than their tokens.
     *
     * @param extras empty, or one entry per whole block: its remaining bytes, whose position does not move
     * @throws IllegalArgumentException if the number of extras fits neither
     */
    public static BlockChain of(Partition partition, Tokens prompt, List<ByteBuffer> extras) {
        int blockTokens = partition.blockTokens();
        int blocks = prompt.size() / blockTokens;
        if (!extras.isEmpty() && extras.size() != blocks) {
            throw new IllegalArgumentException("extras: " + extras.size() + " entries for " + blocks
                    + " whole blocks; give one per block or none");
        }
        BlockHasher hasher = new BlockHasher();
        ByteBuffer hashes = ByteBuffer.allocate(blocks * BlockHash.BYTES);
        BlockHash parent = partition.root();
        for (int i = 0; i < blocks; i++) {
            ByteBuffer extra = extras.isEmpty() ? NO_EXTRA : extras.get(i).asReadOnlyBuffer();
            parent = hasher.next(parent, extra, new TokenWindow(prompt, i * blockTokens, blockTokens));
            parent.putTo(hashes);
        }
        return new BlockChain(partition.root(), HashBytes.of(hashes.flip()));
    }

    /**
     * A chain of hashes that were computed elsewhere.
     *
     * @param hashes 32 bytes per block, first block first: the remaining bytes of one buffer or more, whose positions
     *     do not move. They are not copied, so they must not change or be released while the chain is used
     * @throws IllegalArgumentException if the length is no multiple of 32
     */
    public static BlockChain ofHashes(BlockHash root, List<ByteBuffer> hashes) {
        HashBytes view = HashBytes.of(hashes);
        if (view.size() % BlockHash.BYTES != 0) {
            throw new IllegalArgumentException(
                    "block_hashes: " + view.size() + " bytes are no multiple of " + BlockHash.BYTES);
        }
        return new BlockChain(root, view);
    }

    /** The number of whole blocks. */
    public int size() {
        return size;
    }

    /** The name of block {@code index}, 0 to size - 1. */
    public BlockHash hash(int index) {
        int at = Objects.checkIndex(index, size) * BlockHash.BYTES;
        return new BlockHash(
                hashes.getLong(at), hashes.getLong(at + 8), hashes.getLong(at + 16), hashes.getLong(at + 24));
    }

    /** The first eight bytes of the name of block {@code index}, big-endian, without an object for it. */
    public long head(int index) {
        return hashes.getLong(Objects.checkIndex(index, size) * BlockHash.BYTES);
    }

    /** The parent of block {@code index}: the hash of the block before it, or the root. */
    public BlockHash parent(int index) {
        return index == 0 ? root : hash(index - 1);
    }

    public BlockHash root() {
        return root;
    }

    public Location location(int index) {
        return new Location(root, hash(index));
    }

    /** The first {@code blocks} blocks, 0 to size. */
    public BlockChain prefix(int blocks) {
        return new BlockChain(root, hashes, Objects.checkIndex(blocks, size + 1));
    }

    /** The chain of which this one is a {@link #prefix}; this chain itself if it is no prefix. */
    public BlockChain whole() {
        return size == hashes.size() / BlockHash.BYTES ? this : new BlockChain(root, hashes);
    }

    /** The same chain in memory of its own, which stays valid. */
    public BlockChain kept() {
        return new BlockChain(root, HashBytes.of(hashes.copy(0, hashes.size())), size);
    }

    /** A copy of the hashes for {@link #ofHashes}: 32 bytes per block, first block first. */
    public ByteBuffer toByteBuffer() {
        return hashes.copy(0, size * BlockHash.BYTES).asReadOnlyBuffer();
    }

    private record TokenWindow(Tokens tokens, int from, int size) implements Tokens {
        @Override
        public int get(int index) {
            return tokens.get(from + index);
        }

        @Override
        public void putTo(ByteBuffer target, int first, int end) {
            tokens.putTo(target, from + first, from + end);
        }
    }
}
