package dev.kvstore.control.purge;

import dev.kvstore.admin.name.ResourceName;
import dev.kvstore.admin.problem.ProblemException;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Partition;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a request for a new purge: a partition, a block of a partition, or a key.
 *
 * @param resourceName of the account
 * @param partition all of its blocks, unless {@code block} names one
 * @param blockTokens of the partition; 128 if absent
 * @param block the block with this hash; needs {@code partition}
 * @param key everything that the key with this id wrote; excludes all other fields
 */
public record PurgeSpec(
        @NotNull(message = "is missing") @ResourceName String resourceName,

        @Nullable @Size(min = 1, max = 512, message = "must have 1 to 512 characters")
        String partition,

        @Nullable @Min(value = 1, message = "must be 1 to 8192") @Max(value = 8192, message = "must be 1 to 8192")
        Integer blockTokens,

        @Nullable @Pattern(regexp = "[0-9a-f]{64}", message = "must be a block's hash: 64 of 0-9 and a-f")
        String block,

        @Nullable
        @Pattern(regexp = "[A-Za-z0-9-]{1,64}", message = "must be a key's id: 1 to 64 letters, digits and '-'")
        String key) {
    private static final int USUAL_TOKENS = 128;

    /**
     * Checks the rules that concern several fields.
     *
     * @throws ProblemException if the purge breaks one
     */
    void check() {
        if (key == null && partition == null) {
            throw ProblemException.invalid("partition", "is missing: name a partition, a block of one, or a key");
        }
        if (key != null && (partition != null || block != null || blockTokens != null)) {
            throw ProblemException.invalid("key", "stands alone: a purge is of a partition, a block of one, or a key");
        }
        try {
            var _ = root();
        } catch (IllegalArgumentException e) {
            throw ProblemException.invalid("partition", String.valueOf(e.getMessage()));
        }
    }

    /** The root of the partition; empty for all partitions. */
    Optional<BlockHash> root() {
        return partition == null
                ? Optional.empty()
                : Optional.of(Partition.of(partition, tokens()).root());
    }

    /** Tokens of a block. */
    int tokens() {
        return blockTokens == null ? USUAL_TOKENS : blockTokens;
    }
}
