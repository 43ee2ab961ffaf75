package dev.kvstore.protocol.block;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Computes the names of blocks:
 *
 * <pre>
 * root    = SHA-256("kvstore.root.v1"  || u32le(block_tokens) || u32le(len) || partition in UTF-8)
 * hash[i] = SHA-256("kvstore.block.v1" || hash[i-1] || u32le(len) || extra[i] || tokens[i] as int32 LE)
 * </pre>
 *
 * <p>The vectors in {@code block-hash-vectors.json} fix the names for every language. Not thread-safe: one per thread.
 */
public final class BlockHasher {
    private static final byte[] ROOT = "kvstore.root.v1".getBytes(UTF_8);
    private static final byte[] BLOCK = "kvstore.block.v1".getBytes(UTF_8);
    private static final int SCRATCH_BYTES = 4096;

    private final MessageDigest sha256;
    private final ByteBuffer scratch = ByteBuffer.allocate(SCRATCH_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final byte[] digest = new byte[BlockHash.BYTES];

    public BlockHasher() {
        try {
            sha256 = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** The parent of a partition's first blocks. */
    public BlockHash root(int blockTokens, String partition) {
        byte[] name = partition.getBytes(UTF_8);
        sha256.update(ROOT);
        updateInt(blockTokens);
        updateInt(name.length);
        sha256.update(name);
        return digest();
    }

    /** The name of the block that follows {@code parent}. */
    public BlockHash next(BlockHash parent, ByteBuffer extra, Tokens tokens) {
        scratch.clear().put(BLOCK);
        parent.putTo(scratch);
        scratch.putInt(extra.remaining());
        if (extra.hasRemaining()) {
            updateScratch();
            sha256.update(extra.duplicate());
        }
        // Tokens are copied in long runs: the cost of reading them must be small beside the hashing.
        int size = tokens.size();
        int from = 0;
        while (from < size) {
            int to = Math.min(size, from + scratch.remaining() / Integer.BYTES);
            tokens.putTo(scratch, from, to);
            updateScratch();
            from = to;
        }
        updateScratch();
        return digest();
    }

    private void updateScratch() {
        sha256.update(scratch.array(), 0, scratch.position());
        scratch.clear();
    }

    private void updateInt(int value) {
        sha256.update(scratch.clear().putInt(value).flip());
    }

    private BlockHash digest() {
        try {
            sha256.digest(digest, 0, digest.length);
        } catch (DigestException e) {
            throw new IllegalStateException("SHA-256 has 32 bytes", e);
        }
        return BlockHash.of(digest);
    }
}
