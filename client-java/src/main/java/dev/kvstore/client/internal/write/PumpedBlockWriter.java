package dev.kvstore.client.internal.write;

import dev.kvstore.client.BlockWriter;
import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.NewBlock;
import dev.kvstore.client.WriteResult;
import dev.kvstore.client.internal.ClientOptions;
import dev.kvstore.client.internal.Errors;
import dev.kvstore.client.internal.NewThread;
import dev.kvstore.client.internal.Operation;
import dev.kvstore.client.internal.Threads;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.v1.StreamingWriteRequest;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A writer with a thread of its own, the pump, which does all the sending; callers only hand over blocks. Futures
 * complete on other threads ({@link Completions}), after their blocks no longer count. From Java 21 on these threads
 * are virtual ({@link Threads}). Thread-safe.
 */
public final class PumpedBlockWriter implements BlockWriter {
    /** The time between the deadline, at which blocks without a result fail, and the completion of their futures. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final Partition partition;
    private final ClientOptions options;
    private final Operation operation;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<PendingBlock> unsent = new ArrayDeque<>();
    private final Deque<PendingBlock> unacked = new ArrayDeque<>();
    private final Consumer<PumpedBlockWriter> ended;
    private final Completions completions;
    private final Thread pump;
    private long bytesUnderWay;
    private int nextResult;
    private boolean finishing;
    private boolean closed;
    private boolean stopped;
    private @Nullable KvStoreException failure;
    private @Nullable StreamingWriteCall call;

    /** @param ended called with the writer when its pump has ended */
    public PumpedBlockWriter(
            Partition partition, ClientOptions options, Operation operation, Consumer<PumpedBlockWriter> ended) {
        this.partition = partition;
        this.options = options;
        this.operation = operation;
        this.ended = ended;
        this.completions = new Completions(lock, this::uncount);
        this.pump = startPump();
    }

    private Thread startPump() {
        try {
            return NewThread.start("kvstore-writer", this::pump);
        } catch (KvStoreException e) {
            endCompletions();
            throw e;
        }
    }

    @Override
    public CompletableFuture<WriteResult> write(NewBlock block) {
        OutgoingBlock outgoing = OutgoingBlock.of(partition, block);
        int length = outgoing.length();
        try {
            lock.lockInterruptibly();
        } catch (InterruptedException e) {
            throw Errors.interrupted();
        }
        try {
            requireOpen();
            long left = patience();
            while (failure == null && bytesUnderWay > 0 && bytesUnderWay + length > options.writeWindowBytes()) {
                if (left <= 0) {
                    return CompletableFuture.failedFuture(late());
                }
                left = changed.awaitNanos(left);
                requireOpen();
            }
            if (failure != null) {
                return CompletableFuture.failedFuture(failure);
            }
            bytesUnderWay += length;
            PendingBlock pending = new PendingBlock(outgoing, this::withdraw);
            unsent.add(pending);
            changed.signalAll();
            return pending.future();
        } catch (InterruptedException e) {
            throw Errors.interrupted();
        } finally {
            lock.unlock();
        }
    }

    /** Notes that the application has ended a future; the server's result for the block is ignored. */
    private void withdraw(PendingBlock pending) {
        lock.lock();
        try {
            unsent.remove(pending);
            decide(pending, null, null);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void requireOpen() {
        if (finishing || closed) {
            throw new IllegalStateException("the writer is finished; open another for more blocks");
        }
    }

    @Override
    public void finish() {
        try {
            awaitCompletion(awaitStop());
        } catch (InterruptedException e) {
            throw Errors.interrupted();
        }
    }

    /** Waits until the pump has stopped. Returns the blocks whose futures may not be complete yet. */
    private List<PendingBlock> awaitStop() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            finishing = true;
            changed.signalAll();
            while (!stopped) {
                changed.await();
            }
            return completions.incomplete();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the futures, but not for code that depends on them, which may be the caller. */
    private void awaitCompletion(List<PendingBlock> blocks) throws InterruptedException {
        long until = System.nanoTime() + patience();
        for (PendingBlock block : blocks) {
            try {
                block.future().get(until - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (ExecutionException | CancellationException e) {
                // The block has its own outcome.
            } catch (TimeoutException e) {
                throw late();
            }
        }
    }

    /** The nanoseconds after which every block has its result or has failed, unless futures wait for threads. */
    private long patience() {
        return Math.max(0, operation.left().toNanos()) + GRACE.toNanos();
    }

    private static KvStoreException late() {
        return new KvStoreException(
                ErrorCode.DEADLINE_EXCEEDED,
                "code that depends on futures holds all threads that the process can have, and other futures wait for one");
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (closed || stopped) {
                return;
            }
            closed = true;
        } finally {
            lock.unlock();
        }
        pump.interrupt(); // the pump may be in a retry's pause
    }

    /** Ends the writer, since its client is closed. Blocks without a result fail, and so does each block that is written later. */
    public void abort() {
        pump.interrupt();
    }

    private void pump() {
        KvStoreException end = new KvStoreException(ErrorCode.CANCELLED, "the writer was closed");
        try {
            while (step()) {}
        } catch (KvStoreException e) {
            end = closed() ? end : e;
        } catch (InterruptedException e) {
            end = closed() ? end : Errors.clientClosed();
        } catch (RuntimeException | Error e) {
            end = Errors.broken("the writer", e);
        } finally {
            stop(end);
            ended.accept(this);
        }
    }

    /** Does the next step; false when nothing is left to do. */
    private boolean step() throws InterruptedException {
        PendingBlock next;
        StreamingWriteCall broken = null;
        StreamingWriteCall current;
        lock.lockInterruptibly();
        try {
            while (unsent.isEmpty() && !finishing && (call == null || !call.over())) {
                changed.await();
            }
            current = call;
            if (current != null && current.over()) {
                broken = current;
                call = null;
                requeue();
            } else if (unsent.isEmpty() && unacked.isEmpty()) {
                return false;
            }
            next = broken == null ? unsent.peek() : null;
        } finally {
            lock.unlock();
        }
        if (broken != null) {
            replace(broken);
        } else if (next != null) {
            send(current == null ? open() : current);
        } else if (current != null) {
            current.halfClose();
            awaitResults(current);
        }
        return true;
    }

    private StreamingWriteCall open() {
        nextResult = 0;
        StreamingWriteCall opened = StreamingWriteCall.start(operation.begin(), lock, changed, this::hear);
        lock.lock();
        try {
            call = opened;
        } finally {
            lock.unlock();
        }
        return opened;
    }

    private void send(StreamingWriteCall current) throws InterruptedException {
        boolean fresh = current.fresh();
        PendingBlock pending;
        lock.lockInterruptibly();
        try {
            if (current.over() || unsent.isEmpty()) { // the application may have withdrawn the block
                return;
            }
            pending = unsent.remove();
            unacked.add(pending);
            current.attempt().waits(true);
        } finally {
            lock.unlock();
        }
        int index = current.claimIndex();
        try {
            for (int offset = 0; offset < pending.length(); offset += options.partBytes()) {
                StreamingWriteRequest.Builder request = StreamingWriteRequest.newBuilder();
                if (fresh && offset == 0) {
                    request.setResourceName(options.resource())
                            .setPartition(partition.name())
                            .setBlockTokens(partition.blockTokens());
                }
                if (!sendPart(current, pending, request.build(), index, offset)) {
                    return;
                }
            }
        } finally {
            letGo(pending);
        }
    }

    /**
     * Sends a part once there is room; false if the call is over. The server expects every part of a begun block. If it
     * has refused the block, or the application has withdrawn it, the parts are zeros.
     */
    private boolean sendPart(
            StreamingWriteCall current, PendingBlock pending, StreamingWriteRequest request, int index, int offset)
            throws InterruptedException {
        boolean held;
        lock.lockInterruptibly();
        try {
            release(pending);
            if (!current.awaitRoom()) {
                return false;
            }
            held = pending.hold();
        } finally {
            lock.unlock();
        }
        OutgoingBlock outgoing = pending.outgoing();
        int bytes = Math.min(options.partBytes(), outgoing.length() - offset);
        current.send(
                held ? outgoing.part(request, index, offset, bytes) : outgoing.filler(request, index, offset, bytes));
        return true;
    }

    private void letGo(PendingBlock pending) {
        lock.lock();
        try {
            release(pending);
        } finally {
            lock.unlock();
        }
    }

    /** Notes that the pump reads the block's buffer no more. The caller holds the lock. */
    private void release(PendingBlock pending) {
        pending.letGo();
        completeIfDue(pending);
    }

    private void awaitResults(StreamingWriteCall current) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!current.over() && !unacked.isEmpty()) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Puts blocks that were sent and have no result back in line, except decided ones. The caller holds the lock. */
    private void requeue() {
        while (!unacked.isEmpty()) {
            PendingBlock last = unacked.removeLast();
            if (!last.isDecided()) {
                unsent.addFirst(last);
            }
        }
    }

    private void replace(StreamingWriteCall broken) {
        KvStoreException why;
        boolean idle;
        lock.lock();
        try {
            why = broken.failure();
            idle = unsent.isEmpty();
            if (nextResult > 0) {
                operation.progressed();
            }
        } finally {
            lock.unlock();
        }
        if (!idle) {
            operation.retryOrThrow(
                    broken.attempt(), why != null ? why : Errors.internal("the server left blocks without a result"));
        } else if (why == null) {
            broken.attempt().succeeded();
        } else {
            broken.attempt().failed(why);
        }
    }

    /** Receives a result on the event loop, with the lock held. Results come in the order in which blocks were sent. */
    private void hear(dev.kvstore.protocol.v1.WriteResult result) {
        PendingBlock pending = unacked.peek();
        if (pending == null || result.getIndex() != nextResult) {
            throw Errors.internal("the server answered for block " + Integer.toUnsignedString(result.getIndex())
                    + " of the stream where " + nextResult + " was due");
        }
        if (result.hasStatus()) {
            decide(pending, null, Errors.of(result.getStatus()));
        } else {
            try {
                decide(pending, pending.outgoing().result(result.getWrite()), null);
            } catch (KvStoreException e) {
                decide(pending, null, e);
            }
        }
        unacked.remove();
        nextResult++;
        if (unacked.isEmpty() && call != null) {
            call.attempt().waits(false);
        }
    }

    /** Decides a block's result. The caller holds the lock. */
    private void decide(PendingBlock pending, @Nullable WriteResult result, @Nullable KvStoreException reason) {
        pending.decide(result, reason);
        completeIfDue(pending);
    }

    /**
     * Has another thread complete the block's future if that is due, so that dependent code delays neither event loop
     * nor pump, and may use this writer. The caller holds the lock.
     */
    private void completeIfDue(PendingBlock pending) {
        if (pending.settle()) {
            completions.add(pending);
        }
    }

    /** Notes that the block does not count any more. The caller holds the lock. */
    private void uncount(PendingBlock pending) {
        bytesUnderWay -= pending.length();
        changed.signalAll();
    }

    private void endCompletions() {
        lock.lock();
        try {
            completions.end();
        } finally {
            lock.unlock();
        }
    }

    private boolean closed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    private void stop(KvStoreException end) {
        boolean idle;
        StreamingWriteCall last;
        lock.lock();
        try {
            requeue();
            idle = unsent.isEmpty();
            last = call;
            call = null;
            failure = end;
            stopped = true;
            unsent.forEach(pending -> decide(pending, null, end));
            unsent.clear();
            completions.end();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (last != null) {
            if (idle && finishing) {
                last.halfClose();
                last.attempt().succeeded();
            } else {
                last.cancel("the writer is done");
                last.attempt().abandoned();
            }
        }
    }
}
