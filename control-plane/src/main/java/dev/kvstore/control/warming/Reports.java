package dev.kvstore.control.warming;

import com.google.protobuf.ByteString;
import dev.kvstore.clusters.lease.LeaseHolder;
import dev.kvstore.control.resolve.Invalid;
import dev.kvstore.control.resolve.ReportedText;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.control.v1.Failure;
import dev.kvstore.protocol.control.v1.ReportCopiedRequest;
import dev.kvstore.protocol.control.v1.ReportCopiedRequest.Outcome;
import dev.kvstore.protocol.control.v1.ReportListedRequest;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Checks reports of data planes. Stateless. */
final class Reports {
    /** Most blocks of one report of a listing. */
    static final int MOST_BLOCKS = 5_000;

    static final int MOST_TEXT = 500;
    private static final int MOST_CURSOR = 4_096;
    private static final int NAME_BYTES = 2 * BlockHash.BYTES;

    private Reports() {}

    /** @throws StatusRuntimeException if a field breaks its rule */
    static Chunks.ChunkProgress copied(ReportCopiedRequest request, LeaseHolder holder) {
        ByteString outcomes = request.getOutcomes();
        require(outcomes.size() <= Chunking.BLOCKS, "outcomes", "must be at most " + Chunking.BLOCKS);
        for (byte outcome : outcomes) {
            require(
                    outcome >= Outcome.COPIED_VALUE && outcome <= Outcome.FAILED_VALUE,
                    "outcomes",
                    "must be copied, present or failed");
        }
        require(request.getFrom() >= 0 && request.getFrom() <= Chunking.BLOCKS, "from", "must be of a block");
        require(request.getBytesPerSecond() >= 0, "bytes_per_second", "must not be negative");
        Map<Integer, String> failures = new HashMap<>();
        for (Failure failure : request.getFailuresList()) {
            failures.put(failure.getBlock(), ReportedText.of(failure.getReason(), MOST_TEXT));
        }
        return new Chunks.ChunkProgress(
                holder.lease(),
                request.getWarming(),
                request.getChunk(),
                request.getClaim(),
                request.getFrom(),
                outcomes,
                failures,
                request.getBytesPerSecond(),
                ReportedText.of(request.getWaiting(), MOST_TEXT),
                request.getGivenBack());
    }

    /** @throws StatusRuntimeException if a field breaks its rule */
    static Listings.ListingProgress listed(ReportListedRequest request, LeaseHolder holder) {
        int count = request.getRanksCount();
        require(count <= MOST_BLOCKS, "ranks", "must be at most " + MOST_BLOCKS);
        require(request.getBytesCount() == count, "bytes", "must be as many as ranks");
        ByteString blocks = request.getBlocks();
        require(blocks.size() == count * NAME_BYTES, "blocks", "must be 64 bytes for each of ranks");
        require(isCursor(request.getFrom()), "from", "must be a cursor of this warming");
        require(isCursor(request.getCursor()), "cursor", "must be at most " + MOST_CURSOR + " characters");
        require(
                request.getLast()
                        || !request.getFlaw().isEmpty()
                        || !request.getCursor().equals(request.getFrom()),
                "cursor",
                "must go on");
        List<Listings.ListedBlocks> found = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            require(request.getBytes(i) > 0, "bytes", "must be 1 or more");
            require(request.getRanks(i) >= 0, "ranks", "must not be negative");
            found.add(new Listings.ListedBlocks(
                    blocks.substring(i * NAME_BYTES, (i + 1) * NAME_BYTES), request.getBytes(i), request.getRanks(i)));
        }
        return new Listings.ListingProgress(
                holder.lease(),
                request.getWarming(),
                request.getClaim(),
                request.getFrom(),
                found,
                request.getCursor(),
                request.getLast(),
                ReportedText.of(request.getFlaw(), MOST_TEXT));
    }

    private static boolean isCursor(String cursor) {
        return cursor.length() <= MOST_CURSOR && cursor.indexOf('\0') < 0;
    }

    private static void require(boolean holds, String field, String flaw) {
        if (!holds) {
            throw Invalid.field(field, flaw);
        }
    }
}
