package dev.kvstore.dataplane.purge;

import dev.kvstore.dataplane.account.Account;
import dev.kvstore.dataplane.account.StoreCache;
import dev.kvstore.dataplane.account.control.StorageDecoder;
import dev.kvstore.dataplane.block.BlockNames;
import dev.kvstore.dataplane.block.VerifiedBlocks;
import dev.kvstore.dataplane.jobs.StoragePauses;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.storage.BlobPage;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.protocol.control.v1.Deletion;
import dev.kvstore.protocol.control.v1.Purged;
import dev.kvstore.protocol.control.v1.ReportDeletedRequest;
import dev.kvstore.protocol.wire.WireNames;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Deletes the blocks of a purge from one storage, page by page of its listing, and reports each page. For one thread.
 */
final class StorageDeletion {
    /** Blocks of a page. Each takes two or three calls to storage: with calls of 40 ms a page takes 1.5 s. */
    private static final int PAGE = 250;

    /** Blocks that are deleted at a time. */
    private static final int LANES = 16;

    private static final int MOST_TEXT = 500;

    /** Reports to the control plane. */
    @FunctionalInterface
    interface Teller {
        /** Returns whether the claim is over. */
        boolean tell(ReportDeletedRequest.Builder report) throws InterruptedException;
    }

    private final Deletion task;
    private final StoreCache stores;
    private final VerifiedBlocks blocks;
    private final Teller teller;
    private String cursor;

    StorageDeletion(Deletion task, StoreCache stores, VerifiedBlocks blocks, Teller teller) {
        this.task = task;
        this.stores = stores;
        this.blocks = blocks;
        this.teller = teller;
        this.cursor = task.getCursor();
    }

    /** Deletes page by page. Returns when all pages are reported, or the claim is over. */
    void run() throws InterruptedException {
        StoragePauses pauses = new StoragePauses();
        while (true) {
            ReportDeletedRequest.Builder report;
            try {
                report = part();
                pauses.answered();
            } catch (StorageException | MemoryExhaustedException e) {
                String why = brief(e.getMessage());
                boolean passes = !(e instanceof StorageException failure) || passes(failure);
                report = ReportDeletedRequest.newBuilder().setCursor(cursor);
                if (passes && !pauses.areOver()) {
                    report.setWaiting(why);
                } else {
                    report.setFlaw(why).setLast(true);
                }
            }
            boolean waits = !report.getWaiting().isEmpty();
            if (teller.tell(report.setFrom(cursor)) || report.getLast()) {
                return;
            }
            cursor = report.getCursor();
            if (waits) {
                TimeUnit.NANOSECONDS.sleep(pauses.next().toNanos());
            }
        }
    }

    private static String brief(@Nullable String why) {
        String text = String.valueOf(why);
        return text.length() <= MOST_TEXT ? text : text.substring(0, MOST_TEXT);
    }

    private static boolean passes(StorageException e) {
        return e.kind().passes();
    }

    private ReportDeletedRequest.Builder part()
            throws StorageException, MemoryExhaustedException, InterruptedException {
        BlockStore store = store();
        Purged what = task.getWhat();
        if (!what.getHash().isEmpty()) {
            String name = BlockNames.block(WireNames.hash(what.getRoot()), WireNames.hash(what.getHash()));
            return deleted(store, List.of(name)).setLast(true);
        }
        String prefix = what.getRoot().isEmpty() ? BlockNames.ALL : BlockNames.folder(WireNames.hash(what.getRoot()));
        BlobPage page = store.list(prefix, cursor.isEmpty() ? null : cursor, PAGE);
        List<String> names = page.names().stream()
                .filter(name -> BlockNames.BLOCK.matcher(name).matches())
                .toList();
        String next = page.next();
        return deleted(store, names).setCursor(next == null ? "" : next).setLast(next == null);
    }

    private BlockStore store() throws StorageException {
        return stores.store(new Account(
                task.getResourceName(), "", StorageDecoder.ofJob(task.getStorage(), task.getResourceName())));
    }

    /**
     * Deletes each block. After a temporary failure the whole page is tried again; blocks that are already deleted are
     * found absent.
     */
    private ReportDeletedRequest.Builder deleted(BlockStore store, List<String> names)
            throws StorageException, MemoryExhaustedException, InterruptedException {
        String writer =
                task.getWhat().getWriter().isEmpty() ? null : task.getWhat().getWriter();
        Semaphore lanes = new Semaphore(LANES);
        List<Future<VerifiedBlocks.Deletion>> outcomes = new ArrayList<>();
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (String name : names) {
                outcomes.add(executor.submit(inLane(lanes, () -> blocks.delete(store, name, writer))));
            }
        }
        ReportDeletedRequest.Builder report = ReportDeletedRequest.newBuilder().setLookedAt(names.size());
        for (Future<VerifiedBlocks.Deletion> outcome : outcomes) {
            count(report, outcome);
        }
        return report;
    }

    private static Callable<VerifiedBlocks.Deletion> inLane(Semaphore lanes, Callable<VerifiedBlocks.Deletion> work) {
        return () -> {
            lanes.acquire();
            try {
                return work.call();
            } finally {
                lanes.release();
            }
        };
    }

    private static void count(ReportDeletedRequest.Builder report, Future<VerifiedBlocks.Deletion> outcome)
            throws StorageException, MemoryExhaustedException, InterruptedException {
        try {
            switch (outcome.get()) {
                case DELETED -> report.setDeleted(report.getDeleted() + 1);
                case NOT_MEANT -> {}
                case UNKNOWN -> failed(report, "a block is archived, or in a format that this version cannot read");
            }
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case StorageException failure when !passes(failure) -> failed(report, failure.getMessage());
                case StorageException failure -> throw failure;
                case MemoryExhaustedException failure -> throw failure;
                case null, default -> throw new IllegalStateException(e);
            }
        }
    }

    private static void failed(ReportDeletedRequest.Builder report, @Nullable String why) {
        report.setFailed(report.getFailed() + 1).setFlaw(brief(why));
    }
}
