package dev.kvstore.dataplane.block;

import com.google.protobuf.ByteString;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.format.BlockHeader;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of one purge: blocks that match each of root, hash and writer that is not null. Immutable.
 *
 * @param version number of the last change of this purge; grows with each change of any purge
 * @param places the account's storages, as {@link dev.kvstore.protocol.purge.StorageDigest} names them
 * @param root of the partition; null for any
 * @param hash of the block; null for any
 * @param writer id of the key that wrote them; null for any
 * @param running whether the purge is under way, so that its blocks must not be copied between the storages
 * @param deleted whether storage has deleted the blocks, so that copies in memory or on disk are from before the purge
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
    /** Whether the purge may mean a block of one of the places, as far as its name tells. */
    boolean mayMean(BlockKey key) {
        return (root == null || root.equals(key.root())) && (hash == null || hash.equals(key.hash()));
    }

    /** Whether the purge means a block of one of the places. */
    boolean means(BlockKey key, BlockHeader header) {
        return mayMean(key) && (writer == null || writer.equals(header.keyId()));
    }
}
