package dev.kvstore.client.internal.read;

import dev.kvstore.client.BlockResult;
import dev.kvstore.client.BlockStream;
import dev.kvstore.client.CallOptions;
import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.internal.Attempt;
import dev.kvstore.client.internal.ClientOptions;
import dev.kvstore.client.internal.Errors;
import dev.kvstore.client.internal.LiveCounters;
import dev.kvstore.client.internal.Operation;
import dev.kvstore.client.internal.ReadMemory;
import dev.kvstore.protocol.block.Location;
import dev.kvstore.protocol.v1.StreamingReadRequest;
import dev.kvstore.protocol.wire.WireNames;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A streaming read that survives broken calls: the stream asks another data plane for blocks that a call has not
 * delivered.
 */
public final class ResumingBlockStream implements BlockStream {
    private final List<Location> locations;
    private final CallOptions callOptions;
    private final ClientOptions options;
    private final Operation operation;
    private final LeakDetector leaks;
    private final LiveCounters counters;
    private final ReadMemory memory;
    private final AtomicLong share = new AtomicLong();
    private int delivered;
    private volatile @Nullable StreamingReadCall call;
    private @Nullable KvStoreException failure;
    private volatile boolean closed;
    private final AtomicReference<@Nullable BlockResult> ahead = new AtomicReference<>();

    public ResumingBlockStream(
            List<Location> locations,
            CallOptions callOptions,
            ClientOptions options,
            Operation operation,
            LeakDetector leaks,
            LiveCounters counters,
            ReadMemory memory) {
        this.locations = locations;
        this.callOptions = callOptions;
        this.options = options;
        this.operation = operation;
        this.leaks = leaks;
        this.counters = counters;
        this.memory = memory;
        if (!locations.isEmpty()) {
            begin();
        }
    }

    private void begin() {
        share.set(memory.take(
                (long) options.readWindowBytes() + options.transport().flowControlWindowBytes(),
                ReadMemory.least(options.partBytes())));
        try {
            open();
        } catch (RuntimeException | Error e) {
            giveBack();
            throw e;
        }
    }

    /** Gives the stream's share of memory back; only taken blocks still hold memory. */
    private void giveBack() {
        memory.giveBack(share.getAndSet(0));
    }

    @Override
    public @Nullable BlockResult next() {
        while (delivered < locations.size()) {
            requireOpen();
            try {
                BlockResult result = advance();
                if (result != null) {
                    delivered++;
                    operation.progressed();
                    return result;
                }
            } catch (KvStoreException e) {
                fail(e);
            }
        }
        complete();
        return null;
    }

    private void requireOpen() {
        if (closed) {
            throw new KvStoreException(ErrorCode.CANCELLED, "the stream is closed");
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** The next result; null if the present call is over, or if there was no call. */
    private @Nullable BlockResult advance() {
        StreamingReadCall current = call;
        if (current == null) {
            open();
            return null;
        }
        BlockResult result;
        try {
            result = current.take();
        } catch (InterruptedException e) {
            throw Errors.interrupted();
        }
        if (result != null) {
            return result;
        }
        call = null;
        requireOpen(); // closing ends the call, too
        KvStoreException broken = current.failure();
        if (broken == null) {
            current.attempt().succeeded();
            throw Errors.internal("a call in good order lacks blocks");
        }
        operation.retryOrThrow(current.attempt(), broken);
        return null;
    }

    private void open() {
        List<Location> wanted = locations.subList(delivered, locations.size());
        StreamingReadRequest.Builder request = StreamingReadRequest.newBuilder()
                .setResourceName(options.resource())
                .setMaxPartBytes(options.partBytes())
                .addAllWriters(callOptions.writers())
                .setExpectedBytes(callOptions.expectedBytes());
        wanted.forEach(location -> request.addLocations(WireNames.field(location)));
        BlockAssembler assembler = new BlockAssembler(wanted, delivered, callOptions, leaks, counters);
        long bytes = share.get();
        long ahead = Math.min(options.readWindowBytes(), bytes / 2);
        int window = (int) Math.min(options.transport().flowControlWindowBytes(), bytes - ahead);
        int messages = (int) (ahead / options.partBytes());
        StreamingReadCall opened = start(request.build(), assembler, messages, window);
        call = opened;
        if (closed) { // another thread may have closed the stream meanwhile
            opened.abandon(true);
        }
    }

    private StreamingReadCall start(StreamingReadRequest request, BlockAssembler assembler, int messages, int window) {
        Attempt attempt = operation.begin();
        try {
            return StreamingReadCall.start(attempt, request, assembler, messages, window);
        } catch (OutOfMemoryError e) {
            throw attempt.failed(Errors.broken("opening a read", e));
        }
    }

    private void complete() {
        StreamingReadCall current = call;
        call = null;
        if (current != null) {
            current.abandon(false); // only the call's trailers are still to come
            current.attempt().succeeded();
        }
        giveBack();
    }

    private void fail(KvStoreException e) {
        failure = e;
        StreamingReadCall current = call;
        call = null;
        if (current != null) {
            current.abandon(true);
            current.attempt().failed(e);
        }
        giveBack();
    }

    @Override
    public Iterator<BlockResult> iterator() {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                if (ahead.get() == null) {
                    BlockResult next = ResumingBlockStream.this.next();
                    ahead.set(next);
                    if (closed) { // another thread may have closed the stream meanwhile
                        closeAhead();
                    }
                    return next != null;
                }
                return true;
            }

            @Override
            public BlockResult next() {
                BlockResult first = ahead.getAndSet(null);
                BlockResult result = first != null ? first : ResumingBlockStream.this.next();
                if (result == null) {
                    throw new NoSuchElementException("no block is left");
                }
                return result;
            }
        };
    }

    @Override
    public void close() {
        closed = true;
        StreamingReadCall current = call;
        call = null;
        if (current != null) {
            current.abandon(true);
            current.attempt().abandoned();
        }
        giveBack();
        closeAhead();
    }

    private void closeAhead() {
        if (ahead.getAndSet(null) instanceof BlockResult.Found found) {
            found.block().close();
        }
    }
}
