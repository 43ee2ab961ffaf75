package dev.kvstore.dataplane.warming;

import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.BlockNames;
import dev.kvstore.dataplane.block.VerifiedBlocks;
import dev.kvstore.dataplane.jobs.JobCalls;
import dev.kvstore.dataplane.jobs.JobCalls.JobReply;
import dev.kvstore.dataplane.jobs.StoragePauses;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.storage.BlobPage;
import dev.kvstore.dataplane.storage.Listed;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.WrongSizeBlob;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.control.v1.Listing;
import dev.kvstore.protocol.control.v1.ReportListedRequest;
import dev.kvstore.protocol.control.v1.ReportListedResponse;
import dev.kvstore.protocol.control.v1.Task;
import dev.kvstore.protocol.control.v1.WarmingServiceGrpc.WarmingServiceFutureStub;
import dev.kvstore.protocol.format.BlockHeader;
import dev.kvstore.protocol.wire.WireNames;
import java.time.Instant;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * Finds the blocks of a storage that a warming selects, and reports them page by page: blocks of a listing, or those of
 * one prompt, from its last block to its first. For one thread.
 */
final class StoredListing {
    private static final int PAGE = 5_000;

    /** Blocks of a prompt in one report; each takes a call to storage. */
    private static final int STEP = 64;

    /** More blocks than any prompt has: 8 million tokens of 128. */
    private static final int MOST_DEPTH = 65_536;

    /** The year 9999, as far as one may go in the control plane. */
    private static final long MOST_SECONDS = 253_402_300_799L;

    private final Task task;
    private final Listing work;
    private final CopyEndpoints endpoints;
    private final VerifiedBlocks blocks;
    private final Allowance allowance;
    private final JobCalls<WarmingServiceFutureStub> calls;
    private String cursor;

    StoredListing(
            Task task,
            CopyEndpoints endpoints,
            VerifiedBlocks blocks,
            Allowance allowance,
            JobCalls<WarmingServiceFutureStub> calls) {
        this.task = task;
        this.work = task.getListing();
        this.endpoints = endpoints;
        this.blocks = blocks;
        this.allowance = allowance;
        this.calls = calls;
        this.cursor = work.getCursor();
    }

    /** Sends one page of the report. */
    private interface ListingPart {
        ReportListedRequest.Builder find() throws StorageException, MemoryExhaustedException, InterruptedException;
    }

    /** Returns when all is reported, or the claim is over. */
    void run() throws InterruptedException {
        ListingPart part = work.getLastHash().isEmpty() ? this::page : this::ancestors;
        StoragePauses pauses = new StoragePauses();
        while (true) {
            ReportListedRequest.Builder report;
            try {
                report = part.find();
                pauses.answered();
            } catch (StorageException e) {
                CopyException failure = new CopyException("source", e);
                report = failure.passes() && !pauses.areOver()
                        ? null
                        : ReportListedRequest.newBuilder().setFlaw(String.valueOf(failure.getMessage()));
            } catch (MemoryExhaustedException e) {
                report = null;
            }
            if (report == null) {
                // To say nothing new keeps the claim no longer than storage is away: then another process may try.
                allowance.pause(pauses.next());
            } else if (tell(report)) {
                return;
            }
        }
    }

    /** Reports until the control plane answers. Answers whether the claim is over. */
    private boolean tell(ReportListedRequest.Builder report) throws InterruptedException {
        report.setWarming(task.getWarming()).setClaim(task.getClaim()).setFrom(cursor);
        JobReply<ReportListedResponse> reply = calls.insist(
                (stub, lease) -> stub.reportListed(report.setLease(lease).build()),
                ChunkCopy.PERIOD,
                ChunkCopy.LAST_WORDS);
        if (!(reply instanceof JobReply.Heard<ReportListedResponse>(var answer)) || answer.getOver()) {
            return true;
        }
        allowance.set(answer.getBudget());
        cursor = report.getCursor();
        return false;
    }

    private String prefix() {
        return work.getRoot().isEmpty() ? BlockNames.ALL : BlockNames.folder(WireNames.hash(work.getRoot()));
    }

    private ReportListedRequest.Builder page() throws StorageException, InterruptedException {
        allowance.request();
        BlobPage page = endpoints.source().list(prefix(), cursor.isEmpty() ? null : cursor, PAGE);
        ReportListedRequest.Builder report = ReportListedRequest.newBuilder();
        ByteString.Output names = ByteString.newOutput();
        for (Listed blob : page.blobs()) {
            Matcher name = BlockNames.BLOCK.matcher(blob.name());
            long modified = millis(blob.modified());
            // A listing may know only the second.
            if (name.matches()
                    && !blob.archived()
                    && !WrongSizeBlob.is(blob.length())
                    && modified + 999 >= work.getStoredSince()) {
                put(names, BlockHash.ofHex(name.group(1)), BlockHash.ofHex(name.group(3)));
                report.addBytes((int) Math.min(Integer.MAX_VALUE, blob.length()))
                        .addRanks(modified);
            }
        }
        String next = page.next();
        return report.setBlocks(names.toByteString())
                .setCursor(next == null ? "" : next)
                .setLast(next == null);
    }

    /** The time in milliseconds, within bounds, since files may have any time. */
    private static long millis(Instant time) {
        return Math.clamp(time.getEpochSecond(), 0, MOST_SECONDS) * 1000 + time.getNano() / 1_000_000;
    }

    private static void put(ByteString.Output names, BlockHash root, BlockHash hash) {
        names.write(root.toBytes(), 0, BlockHash.BYTES);
        names.write(hash.toBytes(), 0, BlockHash.BYTES);
    }

    /**
     * The next blocks of the prompt, from its last one backwards, since each block names its parent. The cursor holds
     * the depth and the next block.
     */
    private ReportListedRequest.Builder ancestors()
            throws StorageException, MemoryExhaustedException, InterruptedException {
        BlockHash root = WireNames.hash(work.getRoot());
        int depth = cursor.isEmpty() ? 0 : Integer.parseInt(cursor.substring(0, cursor.indexOf(' ')));
        BlockHash next = cursor.isEmpty()
                ? WireNames.hash(work.getLastHash())
                : BlockHash.ofHex(cursor.substring(cursor.indexOf(' ') + 1));
        ReportListedRequest.Builder report = ReportListedRequest.newBuilder();
        ByteString.Output names = ByteString.newOutput();
        for (int i = 0; i < STEP && !next.equals(root); i++, depth++) {
            allowance.request();
            @Nullable
            BlockHeader header = blocks.header(endpoints.source(), new BlockKey(endpoints.from(), root, next));
            if (header == null || depth == MOST_DEPTH) {
                return report.setFlaw("block " + next.hex() + " of the prefix is not at the source");
            }
            put(names, root, next);
            report.addBytes(header.headerBytes() + header.bufferBytes()).addRanks(MOST_DEPTH - depth);
            next = header.parent();
        }
        return report.setBlocks(names.toByteString())
                .setCursor(depth + " " + next.hex())
                .setLast(next.equals(root));
    }
}
