package dev.kvstore.client.internal;

import dev.kvstore.client.BlockResult;
import dev.kvstore.client.BlockStream;
import dev.kvstore.client.ClientOptions;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.protocol.block.Location;
import dev.kvstore.protocol.v1.StreamingReadRequest;
import io.grpc.Status;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** A streaming read that outlives its calls: what a broken one has not delivered is asked for again elsewhere. */
final class ResumingBlockStream implements BlockStream {
    private static final int MIN_WINDOW_MESSAGES = 2;

    private final List<Location> locations;
    private final ClientOptions options;
    private final Operation operation;
    private final LeakDetector leaks;
    private final Counters counters;
    private int delivered;
    private @Nullable StreamingReadCall call;
    private @Nullable KvStoreException failure;
    private @Nullable BlockResult ahead;

    ResumingBlockStream(
            List<Location> locations,
            ClientOptions options,
            Operation operation,
            LeakDetector leaks,
            Counters counters) {
        this.locations = locations;
        this.options = options;
        this.operation = operation;
        this.leaks = leaks;
        this.counters = counters;
        if (!locations.isEmpty()) {
            open();
        }
    }

    @Override
    public @Nullable BlockResult next() {
        while (delivered < locations.size()) {
            if (failure != null) {
                throw failure;
            }
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

    /** The next result, or null if the call there was is over, or there was none. */
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
                .setMaxPartBytes(options.partBytes());
        wanted.forEach(location -> request.addLocations(location.toByteString()));
        BlockAssembler assembler = new BlockAssembler(wanted, delivered, leaks, counters);
        int window = Math.max(MIN_WINDOW_MESSAGES, options.readWindowBytes() / options.partBytes());
        call = StreamingReadCall.start(operation.begin(), request.build(), assembler, window);
    }

    private void complete() {
        StreamingReadCall current = call;
        call = null;
        if (current != null) {
            current.abandon(false); // only its trailers are still to come
            current.attempt().succeeded();
        }
    }

    private void fail(KvStoreException e) {
        failure = e;
        StreamingReadCall current = call;
        call = null;
        if (current != null) {
            current.abandon(true);
            current.attempt().failed(e);
        }
    }

    @Override
    public Iterator<BlockResult> iterator() {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                if (ahead == null) {
                    ahead = ResumingBlockStream.this.next();
                }
                return ahead != null;
            }

            @Override
            public BlockResult next() {
                BlockResult result = ahead != null ? ahead : ResumingBlockStream.this.next();
                if (result == null) {
                    throw new NoSuchElementException("no block is left");
                }
                ahead = null;
                return result;
            }
        };
    }

    @Override
    public void close() {
        StreamingReadCall current = call;
        call = null;
        if (current != null) {
            current.abandon(true);
            current.attempt().abandoned();
        }
        if (ahead instanceof BlockResult.Found found) {
            found.block().close();
        }
        ahead = null;
        if (failure == null) {
            failure = new KvStoreException(Status.Code.CANCELLED, "the stream is closed");
        }
    }
}
