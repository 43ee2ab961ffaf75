package dev.kvstore.client.internal;

import dev.kvstore.client.BlockWriter;
import dev.kvstore.client.ClientOptions;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.NewBlock;
import dev.kvstore.client.WriteResult;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.v1.StreamingWriteRequest;
import io.grpc.Status;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A writer whose own virtual thread, the pump, does all sending; callers only hand blocks over. Thread-safe. */
final class PumpedBlockWriter implements BlockWriter {
    private record Pending(Outgoing outgoing, CompletableFuture<WriteResult> future) {}

    private final Partition partition;
    private final ClientOptions options;
    private final Operation operation;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Pending> unsent = new ArrayDeque<>();
    private final Deque<Pending> unacked = new ArrayDeque<>();
    private final Thread pump;
    private long bytesUnderWay;
    private int blocksUnderWay;
    private int nextResult;
    private boolean finishing;
    private boolean closed;
    private boolean stopped;
    private @Nullable KvStoreException failure;
    private @Nullable StreamingWriteCall call;

    PumpedBlockWriter(Partition partition, ClientOptions options, Operation operation) {
        this.partition = partition;
        this.options = options;
        this.operation = operation;
        this.pump = Thread.ofVirtual().name("kvstore-writer").start(this::pump);
    }

    @Override
    public CompletableFuture<WriteResult> write(NewBlock block) {
        Pending pending = new Pending(Outgoing.of(partition, block), new CompletableFuture<>());
        int length = pending.outgoing().length();
        try {
            lock.lockInterruptibly();
        } catch (InterruptedException e) {
            throw Errors.interrupted();
        }
        try {
            requireOpen();
            while (failure == null && bytesUnderWay > 0 && bytesUnderWay + length > options.writeWindowBytes()) {
                changed.await();
                requireOpen();
            }
            if (failure != null) {
                pending.future().completeExceptionally(failure);
                return pending.future();
            }
            bytesUnderWay += length;
            blocksUnderWay++;
            unsent.add(pending);
            changed.signalAll();
            return pending.future();
        } catch (InterruptedException e) {
            throw Errors.interrupted();
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
        lock.lock();
        try {
            finishing = true;
            changed.signalAll();
            while (!stopped || blocksUnderWay > 0) {
                changed.await();
            }
        } catch (InterruptedException e) {
            throw Errors.interrupted();
        } finally {
            lock.unlock();
        }
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
        pump.interrupt(); // it may be in a retry's pause
    }

    private void pump() {
        KvStoreException end = new KvStoreException(Status.Code.CANCELLED, "the writer was closed");
        try {
            while (step()) {}
        } catch (KvStoreException e) {
            end = closed() ? end : e;
        } catch (InterruptedException e) {
            end = closed() ? end : Errors.interrupted();
        } finally {
            stop(end);
        }
    }

    /** One decision and what follows from it; false when nothing is left to do. */
    private boolean step() throws InterruptedException {
        Pending next;
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
        StreamingWriteCall opened = StreamingWriteCall.start(operation.begin(), lock, changed, this::settle);
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
        Pending pending;
        lock.lockInterruptibly();
        try {
            if (current.over()) {
                return;
            }
            pending = unsent.remove();
            unacked.add(pending);
        } finally {
            lock.unlock();
        }
        int index = current.claimIndex();
        Outgoing outgoing = pending.outgoing();
        for (int offset = 0; offset < outgoing.length(); offset += options.partBytes()) {
            StreamingWriteRequest.Builder request = StreamingWriteRequest.newBuilder();
            if (fresh && offset == 0) {
                request.setResourceName(options.resource())
                        .setPartition(partition.name())
                        .setBlockTokens(partition.blockTokens());
            }
            if (!current.send(outgoing.part(request.build(), index, offset, options.partBytes()))) {
                return;
            }
        }
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

    private void requeue() {
        while (!unacked.isEmpty()) {
            unsent.addFirst(unacked.removeLast());
        }
    }

    private void replace(StreamingWriteCall broken) {
        KvStoreException why = broken.failure();
        boolean idle;
        lock.lock();
        try {
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

    /** With the lock held, on the event loop: results come in the order the blocks were sent. */
    private void settle(dev.kvstore.protocol.v1.WriteResult result) {
        Pending pending = unacked.peek();
        if (pending == null || result.getIndex() != nextResult) {
            throw Errors.internal("the server answered for block " + Integer.toUnsignedString(result.getIndex())
                    + " of the stream where " + nextResult + " was due");
        }
        unacked.remove();
        nextResult++;
        if (result.hasStatus()) {
            complete(pending, null, Errors.of(result.getStatus()));
            return;
        }
        try {
            complete(pending, pending.outgoing().result(result.getWrite()), null);
        } catch (KvStoreException e) {
            complete(pending, null, e);
        }
    }

    /** In a thread of its own: what the application hangs on the future must hold up neither event loop nor pump. */
    private void complete(Pending pending, @Nullable WriteResult result, @Nullable KvStoreException reason) {
        Thread.startVirtualThread(() -> {
            if (reason != null) {
                pending.future().completeExceptionally(reason);
            } else {
                pending.future().complete(result);
            }
            lock.lock();
            try {
                bytesUnderWay -= pending.outgoing().length();
                blocksUnderWay--;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        });
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
        List<Pending> left;
        StreamingWriteCall last;
        lock.lock();
        try {
            requeue();
            left = new ArrayList<>(unsent);
            unsent.clear();
            last = call;
            call = null;
            failure = end;
            stopped = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        left.forEach(pending -> complete(pending, null, end));
        if (last != null) {
            if (left.isEmpty() && finishing) {
                last.halfClose();
                last.attempt().succeeded();
            } else {
                last.cancel("the writer is done");
                last.attempt().abandoned();
            }
        }
    }
}
