package dev.kvstore.dataplane.block;

import com.google.protobuf.ByteString;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.format.BlockHeader;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Blocks that an admin has purged: those to which each of root, hash and writer applies that is given. Immutable.
 *
 * @param version grows with each change of any purge
 * @param places the account's storages, as {@link dev.kvstore.protocol.purge.PlaceDigest} names them
 * @param root of the partition; null for any
 * @param hash of the block; null for any
 * @param writer id of the key that wrote them; null for any
 * @param running blocks must not be copied from one of the storages to another
 * @param deleted storage has none of them any more as they were: what is kept of them elsewhere is from before
 */
public record PurgeRule(
        String id,
        long version,
        Set<ByteString> places,
        @Nullable BlockHash root,
        @Nullable BlockHash hash,
        @Nullable String writer,
        boolean running,
        boolean deleted) {
    /** Whether a block may be meant, as far as its name tells; it lies in one of the places. */
    boolean mayMean(BlockKey key) {
        return (root == null || root.equals(key.root())) && (hash == null || hash.equals(key.hash()));
    }

    /** Whether a block is meant that lies in one of the places. */
    boolean means(BlockKey key, BlockHeader header) {
        return mayMean(key) && (writer == null || writer.equals(header.keyId()));
    }
}
