package dev.kvstore.dataplane.block;

import dev.kvstore.protocol.block.BlockHash;
import java.util.regex.Pattern;

/** The names of blobs in a tenant's storage. */
public final class BlockNames {
    /** The beginning of all names. */
    public static final String ALL = "kv/v1/";

    /** The name of a block's blob: the groups 1 and 3 are root and hash. */
    public static final Pattern BLOCK = Pattern.compile("kv/v1/([0-9a-f]{64})/([0-9a-f]{2})/(\\2[0-9a-f]{62})");

    private BlockNames() {}

    /** The beginning of the names of a partition's blobs. */
    public static String folder(BlockHash root) {
        return ALL + root.hex() + "/";
    }

    /** The name of a block's blob: {@code kv/v1/<root>/<first two digits of hash>/<hash>}. */
    public static String block(BlockHash root, BlockHash hash) {
        String hex = hash.hex();
        return folder(root) + hex.substring(0, 2) + "/" + hex;
    }

    /** The name of the blob that describes a partition. */
    public static String descriptor(BlockHash root) {
        return folder(root) + "partition.json";
    }
}
