package dev.kvstore.control.warming;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.kvstore.admin.problem.ProblemException;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Partition;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A choice of an account's blocks. A selection has exactly one of {@code hottestBytes}, {@code used}, {@code prefix},
 * {@code storedSince} and {@code all}, or a partition alone, which means all of its blocks.
 *
 * @param partition only blocks of this partition; of all if absent
 * @param blockTokens of the partition; 128 if absent
 * @param hottestBytes selects this many bytes of the blocks used most of late
 * @param used blocks that were reported since the warming was last planned, and blocks that the last round did not
 *     bring; in the first round all blocks whose use is known
 * @param prefix the block with this hash and the blocks before it in its prompt; needs partition
 * @param storedSince blocks that were stored at this time or later
 * @param all whether all blocks are selected
 */
public record Selection(
        @Nullable @Size(min = 1, max = 512, message = "must have 1 to 512 characters")
        String partition,

        @Nullable @Min(value = 1, message = "must be 1 to 8192") @Max(value = 8192, message = "must be 1 to 8192")
        Integer blockTokens,

        @Nullable
        @Min(value = 1, message = "must be 1 to 1000000000000000")
        @Max(value = 1_000_000_000_000_000L, message = "must be 1 to 1000000000000000")
        Long hottestBytes,

        @Nullable Boolean used,

        @Nullable @Pattern(regexp = "[0-9a-f]{64}", message = "must be a block's hash: 64 of 0-9 and a-f")
        String prefix,

        @Nullable Instant storedSince,
        @Nullable Boolean all) {
    private static final String FIELD = "select";
    private static final int USUAL_TOKENS = 128;

    /**
     * Checks the rules that concern several fields.
     *
     * @throws ProblemException if the selection breaks one
     */
    public void check(Instant now) {
        long ways = Stream.of(hottestBytes, isTrue(used), prefix, storedSince, isTrue(all))
                .filter(way -> way != null)
                .count();
        if (ways > 1 || (ways == 0 && partition == null)) {
            throw ProblemException.invalid(
                    FIELD, "must have one of hottestBytes, used, prefix, storedSince and all, or a partition alone");
        }
        if (partition == null && prefix != null) {
            throw ProblemException.invalid(FIELD + ".partition", "is missing: name the partition of the prefix");
        }
        if (partition == null && blockTokens != null) {
            throw ProblemException.invalid(FIELD + ".blockTokens", "is given without a partition");
        }
        if (storedSince != null && storedSince.isAfter(now)) {
            throw ProblemException.invalid(FIELD + ".storedSince", "must not be in the future");
        }
        try {
            var _ = root();
        } catch (IllegalArgumentException e) {
            throw ProblemException.invalid(FIELD + ".partition", String.valueOf(e.getMessage()));
        }
    }

    private static @Nullable Boolean isTrue(@Nullable Boolean flag) {
        return Boolean.TRUE.equals(flag) ? flag : null;
    }

    /** Whether blocks are selected from a listing of the storage, and not from reported uses. */
    @JsonIgnore
    public boolean isListed() {
        return hottestBytes == null && isTrue(used) == null;
    }

    /** The root of the partition; empty for all partitions. */
    Optional<BlockHash> root() {
        return partition == null
                ? Optional.empty()
                : Optional.of(Partition.of(partition, blockTokens == null ? USUAL_TOKENS : blockTokens)
                        .root());
    }
}
