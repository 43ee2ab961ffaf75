package dev.kvstore.dataplane.service;

import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.block.Fetched;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.protocol.v1.StreamingReadRequest;
import dev.kvstore.protocol.v1.StreamingReadResponse;
import dev.kvstore.protocol.wire.Parts;
import dev.kvstore.protocol.wire.Received;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * One StreamingRead: takes requests in, loads ahead, sends blocks in the order they were asked for. Its thread is the
 * only one to touch the call.
 */
final class ReadStream implements Runnable {
    /** A stream with nothing to do holds nothing and may wait as long as its connection lives. */
    private static final Duration IDLE = Duration.ofDays(365);

    private final ServerCall<?, StreamingReadResponse> call;
    private final Inbox<StreamingReadRequest> inbox;
    private final Grants grants;
    private final String apiKey;
    private final Reads reads;
    private final Prefetch ahead;
    private final PartSender sender;
    private String resourceName = "";
    private int nextIndex;
    private @Nullable Refusal ending;

    ReadStream(
            ServerCall<?, StreamingReadResponse> call,
            Inbox<StreamingReadRequest> inbox,
            Grants grants,
            String apiKey,
            Reads reads,
            Prefetch ahead,
            PartSender sender) {
        this.call = call;
        this.inbox = inbox;
        this.grants = grants;
        this.apiKey = apiKey;
        this.reads = reads;
        this.ahead = ahead;
        this.sender = sender;
    }

    @Override
    @SuppressWarnings("CatchingUnchecked") // whatever fails, the caller is told
    public void run() {
        try {
            call.sendHeaders(new Metadata());
            if (serve()) {
                Refusal refusal = ending;
                if (refusal == null) {
                    call.close(Status.OK, new Metadata());
                } else {
                    Failures.close(call, refusal);
                }
            }
        } catch (Exception | Error e) {
            if (!inbox.isCancelled()) {
                Failures.close(call, Failures.refusal(e, resourceName));
            }
        } finally {
            sender.clear();
            ahead.clear();
        }
    }

    /** False when the client has left or was cut off. */
    private boolean serve() throws InterruptedException {
        while (!inbox.isCancelled()) {
            takeIn();
            Prefetch.Item first = ahead.first();
            if (first == null) {
                if (!sender.flush()) {
                    return false;
                }
                if (ending != null || inbox.isHalfClosed()) {
                    return true;
                }
                inbox.await(IDLE);
            } else if (first.isDecided()) {
                if (!send(first)) {
                    return false;
                }
            } else {
                // What is ready must not wait for what is not.
                if (!sender.flush()) {
                    return false;
                }
                inbox.await(IDLE);
            }
        }
        return false;
    }

    private boolean send(Prefetch.Item item) throws InterruptedException {
        StoredBlock block;
        try {
            block = block(item);
        } catch (Refusal refusal) {
            ahead.removeFirst(0);
            return sender.send(item.index, refusal.status());
        }
        ahead.removeFirst(block.memory().length());
        return sender.send(item.index, block, item.partBytes);
    }

    private StoredBlock block(Prefetch.Item item) throws Refusal, InterruptedException {
        CompletableFuture<Fetched> load = item.load();
        if (item.refusal != null) {
            throw item.refusal;
        }
        if (load == null || item.key == null) {
            throw new IllegalStateException("an item is either refused or loaded");
        }
        try {
            return reads.found(load.get(), item.key);
        } catch (ExecutionException e) {
            throw Failures.refusal(e, item.resourceName);
        }
    }

    private void takeIn() {
        while (ending == null && ahead.size() < Limits.STREAM_PENDING) {
            if (inbox.isOverLimit()) {
                ending = Refusal.exhausted("the server is taking in all it can", Duration.ofMillis(200));
                return;
            }
            Received<StreamingReadRequest> request = inbox.poll();
            if (request == null) {
                return;
            }
            try {
                takeIn(request);
            } catch (Refusal refusal) {
                ending = refusal;
            } finally {
                inbox.done(request);
            }
        }
    }

    private void takeIn(Received<StreamingReadRequest> received) throws Refusal {
        String flaw = received.flaw();
        if (flaw != null) {
            throw Refusal.invalid("request", flaw);
        }
        StreamingReadRequest request = received.message();
        if (!request.getResourceName().isEmpty()) {
            resourceName = request.getResourceName();
        }
        Grants.Grant grant = grants.grant(apiKey, resourceName);
        int partBytes = partBytes(request.getMaxPartBytes());
        for (ByteString location : request.getLocationsList()) {
            int index = nextIndex++;
            try {
                ahead.add(
                        index,
                        partBytes,
                        grant.key(Grants.location(location, "locations")),
                        grant.store(),
                        resourceName,
                        null);
            } catch (Refusal refusal) {
                ahead.add(index, partBytes, null, null, resourceName, refusal);
            }
        }
    }

    private static int partBytes(int wanted) throws Refusal {
        try {
            return Parts.bytes(wanted);
        } catch (IllegalArgumentException e) {
            throw Grants.invalid(e);
        }
    }
}
