package dev.kvstore.protocol.block;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;

/**
 * A tenant's own namespace for blocks that its prompts may share: model, revision, dtype, parallel rank. Equal tokens
 * in two partitions have different hashes. Immutable.
 *
 * @param name 1 to 512 bytes of UTF-8 without control characters
 * @param blockTokens tokens per block, 1 to 8192
 * @param root the parent of the partition's first blocks
 */
public record Partition(String name, int blockTokens, BlockHash root) {
    /** The default number of tokens per block. */
    public static final int DEFAULT_BLOCK_TOKENS = 128;

    public static final int MAX_BLOCK_TOKENS = 8192;
    public static final int MAX_NAME_BYTES = 512;

    /**
     * Makes a partition.
     *
     * @throws IllegalArgumentException if the name or the token count breaks its rule
     */
    public static Partition of(String name, int blockTokens) {
        String flaw = flaw(name);
        if (flaw != null) {
            throw new IllegalArgumentException("partition: " + flaw);
        }
        if (blockTokens < 1 || blockTokens > MAX_BLOCK_TOKENS) {
            throw new IllegalArgumentException("block_tokens: must be 1 to " + MAX_BLOCK_TOKENS + ", not "
                    + Integer.toUnsignedString(blockTokens));
        }
        return new Partition(name, blockTokens, new BlockHasher().root(blockTokens, name));
    }

    /** Makes a partition of blocks of 128 tokens. */
    public static Partition of(String name) {
        return of(name, DEFAULT_BLOCK_TOKENS);
    }

    private static @Nullable String flaw(String name) {
        if (name.isEmpty()) {
            return "must not be empty";
        }
        if (name.length() > MAX_NAME_BYTES || name.getBytes(UTF_8).length > MAX_NAME_BYTES) {
            return "must be at most " + MAX_NAME_BYTES + " bytes of UTF-8";
        }
        for (int i = 0; i < name.length(); i++) {
            if (Character.isISOControl(name.charAt(i))) {
                return "must not contain control characters";
            }
            if (Character.isSurrogate(name.charAt(i)) && isUnpaired(name, i)) {
                return "must be valid Unicode";
            }
        }
        return null;
    }

    private static boolean isUnpaired(String name, int i) {
        return Character.isHighSurrogate(name.charAt(i))
                ? i + 1 == name.length() || !Character.isLowSurrogate(name.charAt(i + 1))
                : i == 0 || !Character.isHighSurrogate(name.charAt(i - 1));
    }
}
