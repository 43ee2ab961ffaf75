package dev.kvstore.dataplane.service;

import com.google.protobuf.ByteString;
import com.google.rpc.Code;
import dev.kvstore.dataplane.block.BlockKey;
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
    private final ServerCall<?, StreamingReadResponse> call;
    private final Inbox<StreamingReadRequest> inbox;
    private final Grants grants;
    private final String apiKey;
    private final Reads reads;
    private final Prefetch ahead;
    private final PartSender sender;
    private final Duration stall;
    private String resourceName = "";
    private int nextIndex;
    private @Nullable Taking taking;
    private @Nullable Refusal ending;

    /** A request whose locations are being taken, as many as may wait. */
    private static final class Taking {
        final Received<StreamingReadRequest> request;
        final Grants.Grant grant;
        final int partBytes;
        int next;

        Taking(Received<StreamingReadRequest> request, Grants.Grant grant, int partBytes) {
            this.request = request;
            this.grant = grant;
            this.partBytes = partBytes;
        }
    }

    ReadStream(
            ServerCall<?, StreamingReadResponse> call,
            Inbox<StreamingReadRequest> inbox,
            Grants grants,
            String apiKey,
            Reads reads,
            Prefetch ahead,
            PartSender sender,
            Duration stall) {
        this.call = call;
        this.inbox = inbox;
        this.grants = grants;
        this.apiKey = apiKey;
        this.reads = reads;
        this.ahead = ahead;
        this.sender = sender;
        this.stall = stall;
    }

    @Override
    @SuppressWarnings("CatchingUnchecked") // whatever fails, the caller is told
    public void run() {
        try {
            call.sendHeaders(new Metadata());
            if (serve()) {
                inbox.answered();
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
            finishTaking();
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
                awaitMore();
            } else if (first.isDecided()) {
                if (!send(first)) {
                    return false;
                }
            } else {
                // What is ready must not wait for what is not.
                if (!sender.flush()) {
                    return false;
                }
                awaitLoad();
            }
        }
        return false;
    }

    /** Until anything happens; but a message that has begun to arrive holds memory, and must end. */
    private void awaitLoad() throws InterruptedException {
        Duration left = arrivingWithin();
        if (left == null) {
            inbox.await();
        } else if (!left.isPositive() || !inbox.await(left)) {
            ending = late();
        }
    }

    /** As above, with nothing in hand. */
    private void awaitMore() throws InterruptedException {
        Duration left = arrivingWithin();
        if (left == null) {
            inbox.awaitIdle();
        } else if (!left.isPositive() || !inbox.awaitClient(left)) {
            ending = late();
        }
    }

    private @Nullable Duration arrivingWithin() {
        return ending == null ? inbox.arrivingWithin(stall) : null;
    }

    private Refusal late() {
        return Refusal.of(Code.DEADLINE_EXCEEDED, "a message did not arrive whole in " + stall);
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
            ending = inbox.closing();
            if (ending != null) {
                return;
            }
            if (taking == null && !begin()) {
                return;
            }
            Taking current = taking;
            if (current != null) {
                take(current);
            }
        }
    }

    /** False if nothing has arrived. */
    private boolean begin() {
        Received<StreamingReadRequest> request = null;
        try {
            request = inbox.poll();
            if (request == null) {
                return false;
            }
            taking = taking(request);
        } catch (Refusal refusal) {
            ending = refusal;
            if (request != null) {
                inbox.done(request);
            }
        }
        return true;
    }

    private Taking taking(Received<StreamingReadRequest> received) throws Refusal {
        String flaw = received.flaw();
        if (flaw != null) {
            throw Refusal.invalid("request", flaw);
        }
        StreamingReadRequest request = received.message();
        if (!request.getResourceName().isEmpty()) {
            resourceName = request.getResourceName();
        }
        return new Taking(received, grants.grant(apiKey, resourceName), partBytes(request.getMaxPartBytes()));
    }

    private void take(Taking current) {
        StreamingReadRequest request = current.request.message();
        while (current.next < request.getLocationsCount()) {
            if (ahead.size() >= Limits.STREAM_PENDING) {
                return;
            }
            ByteString location = request.getLocations(current.next++);
            int index = nextIndex++;
            try {
                BlockKey key = current.grant.key(Grants.location(location, "locations"));
                ahead.add(index, current.partBytes, key, current.grant.store(), resourceName, null);
            } catch (Refusal refusal) {
                ahead.add(index, current.partBytes, null, null, resourceName, refusal);
            }
        }
        finishTaking();
    }

    private void finishTaking() {
        Taking over = taking;
        taking = null;
        if (over != null) {
            inbox.done(over.request);
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
