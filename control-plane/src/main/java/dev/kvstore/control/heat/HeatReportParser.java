package dev.kvstore.control.heat;

import dev.kvstore.control.resolve.Invalid;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.control.v1.PartitionHeat;
import dev.kvstore.protocol.control.v1.ReportHeatRequest;
import dev.kvstore.protocol.format.BlockHeader;
import dev.kvstore.protocol.heat.Uses;
import dev.kvstore.protocol.wire.WireNames;
import io.grpc.StatusRuntimeException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Checks a report: refuses a malformed report, and leaves implausible uses out. Stateless. */
final class HeatReportParser {
    /** Most blocks of one report, in all partitions. */
    static final int MOST_BLOCKS = 1 << 14;

    /**
     * The most by which a clock may be ahead: the blocks of a data plane whose clock is ahead would seem hot for that
     * long.
     */
    private static final Duration AHEAD = Duration.ofMinutes(1);

    /**
     * The most uses of a block: a million at that moment, as a logarithm to the base 2. A process can serve a block
     * less often within minutes.
     */
    private static final double MOST_USES = 20;

    private static final Pattern RESOURCE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

    private HeatReportParser() {}

    /**
     * The uses that a report names, by account. The caller may change the map.
     *
     * @throws StatusRuntimeException if a field breaks its rule
     */
    static Map<String, List<BlockHeat>> of(ReportHeatRequest report, Instant now) {
        Map<String, List<BlockHeat>> told = new HashMap<>();
        int blocks = 0;
        double most = Uses.at(now.plus(AHEAD)) + MOST_USES;
        for (PartitionHeat part : report.getHeatList()) {
            require(RESOURCE.matcher(part.getResourceName()).matches(), "heat.resource_name", "must be an account's");
            require(part.getRoot().size() == BlockHash.BYTES, "heat.root", "must be 32 bytes");
            blocks += part.getUsesCount();
            require(blocks <= MOST_BLOCKS, "heat.uses", "must be at most " + MOST_BLOCKS + " in all");
            told.computeIfAbsent(part.getResourceName(), _ -> new ArrayList<>()).addAll(blocks(part, most));
        }
        return told;
    }

    private static List<BlockHeat> blocks(PartitionHeat part, double most) {
        int count = part.getUsesCount();
        require(part.getHashes().size() == count * BlockHash.BYTES, "heat.hashes", "must be 32 bytes for each of uses");
        require(part.getParentsCount() == count, "heat.parents", "must be as many as uses");
        require(part.getBytesCount() == count, "heat.bytes", "must be as many as uses");
        BlockHash root = WireNames.hash(part.getRoot());
        ByteBuffer hashes = part.getHashes().asReadOnlyByteBuffer();
        List<BlockHeat> blocks = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int bytes = part.getBytes(i);
            require(bytes >= 1 && bytes <= BlockHeader.MAX_BUFFER_BYTES, "heat.bytes", "must be 1 byte to 64 MiB");
            double uses = part.getUses(i);
            if (Double.isFinite(uses) && uses > 0) {
                BlockHash hash = BlockHash.at(hashes, i * BlockHash.BYTES);
                blocks.add(
                        new BlockHeat(new BlockName(root, hash), part.getParents(i), bytes, Math.min(uses, most), 0));
            }
        }
        return blocks;
    }

    private static void require(boolean holds, String field, String flaw) {
        if (!holds) {
            throw Invalid.field(field, flaw);
        }
    }
}
