package dev.kvstore.protocol.block;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The names of a prompt's whole blocks, first block first. Immutable and thread-safe; 32 bytes per block.
 */
public final class BlockChain {
    private static final ByteBuffer NO_EXTRA = ByteBuffer.allocate(0).asReadOnlyBuffer();

    private final BlockHash root;
    private final ByteBuffer hashes;
    private final ByteBuffer whole;

    private BlockChain(BlockHash root, ByteBuffer hashes) {
        this(root, hashes, hashes);
    }

    private BlockChain(BlockHash root, ByteBuffer hashes, ByteBuffer whole) {
        this.root = root;
        this.hashes = hashes;
        this.whole = whole;
    }

    /** The chain of a prompt. Tokens beyond its last whole block are ignored. */
    public static BlockChain of(Partition partition, Tokens prompt) {
        return of(partition, prompt, List.of());
    }

    /**
     * The chain of a prompt whose blocks carry more than their tokens.
     *
     * @param extras empty, or one entry per whole block
     * @throws IllegalArgumentException if the number of extras fits neither
     */
    public static BlockChain of(Partition partition, Tokens prompt, List<ByteString> extras) {
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
            ByteBuffer extra = extras.isEmpty() ? NO_EXTRA : extras.get(i).asReadOnlyByteBuffer();
            parent = hasher.next(parent, extra, new Window(prompt, i * blockTokens, blockTokens));
            parent.putTo(hashes);
        }
        return new BlockChain(partition.root(), hashes.flip().asReadOnlyBuffer());
    }

    /**
     * A chain that was computed elsewhere.
     *
     * @param hashes 32 bytes per block, first block first; must not change afterwards
     * @throws IllegalArgumentException if the length is no multiple of 32
     */
    public static BlockChain ofHashes(BlockHash root, ByteString hashes) {
        if (hashes.size() % BlockHash.BYTES != 0) {
            throw new IllegalArgumentException(
                    "block_hashes: " + hashes.size() + " bytes are no multiple of " + BlockHash.BYTES);
        }
        // A slice: the view of a substring begins at its position, not at 0.
        return new BlockChain(root, hashes.asReadOnlyByteBuffer().slice());
    }

    /** Number of whole blocks. */
    public int size() {
        return hashes.capacity() / BlockHash.BYTES;
    }

    /** The name of block {@code index}, 0 to size - 1. */
    public BlockHash hash(int index) {
        return BlockHash.at(hashes, index * BlockHash.BYTES);
    }

    /** The first eight bytes of the name of block {@code index}, big-endian, without an object for it. */
    public long head(int index) {
        return hashes.getLong(index * BlockHash.BYTES);
    }

    /** What comes before block {@code index}: the block before it, or the root. */
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
        return new BlockChain(root, hashes.slice(0, blocks * BlockHash.BYTES), whole);
    }

    /** The chain this is a prefix of, as far as it was ever known; itself if it was not cut. */
    public BlockChain whole() {
        return hashes.capacity() == whole.capacity() ? this : new BlockChain(root, whole);
    }

    /** 32 bytes per block, as {@code LookupRequest.block_hashes} has them; a copy. */
    public ByteString toByteString() {
        return ByteString.copyFrom(hashes.duplicate());
    }

    private record Window(Tokens tokens, int from, int size) implements Tokens {
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
