package dev.kvstore.dataplane.service;

import com.google.protobuf.ByteString;
import com.google.rpc.Code;
import dev.kvstore.dataplane.account.Account;
import dev.kvstore.dataplane.account.Credential;
import dev.kvstore.dataplane.block.Fetched;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.call.AccountUsage;
import dev.kvstore.dataplane.call.CallFailures;
import dev.kvstore.dataplane.call.CallInput;
import dev.kvstore.dataplane.call.CallRefusal;
import dev.kvstore.dataplane.call.Outbox;
import dev.kvstore.dataplane.call.ServiceLimits;
import dev.kvstore.dataplane.wire.ZeroCopyMessage;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Location;
import dev.kvstore.protocol.v1.StreamingReadRequest;
import dev.kvstore.protocol.v1.StreamingReadResponse;
import dev.kvstore.protocol.wire.PartSizes;
import dev.kvstore.protocol.wire.Received;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * One StreamingRead: receives requests, loads blocks ahead, and sends them in the order of the requests. It sends
 * through its {@link Outbox}; apart from that, its thread is the only one that uses the call.
 */
final class ReadStream implements Runnable {
    private final ServerCall<?, ZeroCopyMessage<StreamingReadResponse>> call;
    private final CallInput<StreamingReadRequest> input;
    private final RequestAuthorisation authorisation;
    private final Credential credential;
    private final Reads reads;
    private final Prefetch ahead;
    private final Outbox<StreamingReadResponse> outbox;
    private final PartSender sender;
    private final Duration stall;
    private String resourceName = "";
    private WriterFilter writers = WriterFilter.ANY;
    private @Nullable String granted;
    private int nextIndex;
    private @Nullable Taking taking;
    private @Nullable CallRefusal endingRefusal;
    private @Nullable BlockHash checkedRoot;
    private RequestAuthorisation.@Nullable AuthorisedAccount checked;

    /** A request whose locations are taken one by one, as far as blocks may be loaded ahead. */
    private static final class Taking {
        final Received<StreamingReadRequest> request;
        final int partBytes;
        final BlockFilter filter;
        int next;

        Taking(Received<StreamingReadRequest> request, int partBytes, BlockFilter filter) {
            this.request = request;
            this.partBytes = partBytes;
            this.filter = filter;
        }
    }

    ReadStream(
            ServerCall<?, ZeroCopyMessage<StreamingReadResponse>> call,
            CallInput<StreamingReadRequest> input,
            RequestAuthorisation authorisation,
            Credential credential,
            Reads reads,
            Prefetch ahead,
            Outbox<StreamingReadResponse> outbox,
            Duration stall) {
        this.call = call;
        this.input = input;
        this.authorisation = authorisation;
        this.credential = credential;
        this.reads = reads;
        this.ahead = ahead;
        this.outbox = outbox;
        this.sender = new PartSender(outbox);
        this.stall = stall;
    }

    @Override
    @SuppressWarnings("CatchingUnchecked") // whatever fails, the caller is told
    public void run() {
        try {
            call.sendHeaders(new Metadata());
            if (serve() && outbox.drain()) {
                input.answered();
                CallRefusal refusal = endingRefusal;
                if (refusal == null) {
                    call.close(Status.OK, new Metadata());
                } else {
                    CallFailures.close(call, refusal);
                }
            }
        } catch (Exception | Error e) {
            fail(CallFailures.refusal(e, resourceName));
        } finally {
            sender.clear();
            ahead.clear();
            finishTaking();
        }
    }

    /** Ends the call with a refusal. Blocks that were sent before stay with the client. */
    private void fail(CallRefusal refusal) {
        try {
            if (outbox.drain() && !input.isCancelled()) {
                CallFailures.close(call, refusal);
            }
        } catch (InterruptedException | IllegalStateException e) {
            CallFailures.close(call, refusal);
        }
    }

    /** Serves the stream; false when the client has left or was cut off. */
    private boolean serve() throws CallRefusal, InterruptedException {
        long sent = sender.messages();
        while (!input.isCancelled()) {
            if (sender.messages() != sent) {
                sent = sender.messages();
                checked = null;
            }
            takeIn();
            Prefetch.Item first = ahead.first();
            if (first == null) {
                if (!sender.flush()) {
                    return false;
                }
                if (endingRefusal != null || input.isHalfClosed()) {
                    return true;
                }
                awaitMore();
            } else if (first.isDecided()) {
                if (!send(first)) {
                    return false;
                }
            } else {
                // Blocks that are ready must not wait for blocks that are not.
                if (!sender.flush()) {
                    return false;
                }
                awaitLoad();
            }
        }
        return false;
    }

    /**
     * Waits until a block is loaded or a message arrives. A message that has begun to arrive holds memory, so it must
     * arrive in time.
     */
    private void awaitLoad() throws InterruptedException {
        checked = null;
        Duration left = arrivingWithin();
        if (left == null) {
            input.await();
        } else if (!left.isPositive() || !input.await(left)) {
            endingRefusal = late();
        }
    }

    /** Like {@link #awaitLoad}, for a stream without a block in work, which may become idle. */
    private void awaitMore() throws InterruptedException {
        checked = null;
        Duration left = arrivingWithin();
        if (left == null) {
            input.awaitIdle();
        } else if (!left.isPositive() || !input.awaitClient(left)) {
            endingRefusal = late();
        }
    }

    private @Nullable Duration arrivingWithin() {
        return endingRefusal == null ? input.arrivingWithin(stall) : null;
    }

    private CallRefusal late() {
        return CallRefusal.of(Code.DEADLINE_EXCEEDED, "a message did not arrive whole in " + stall);
    }

    /** Sends a block, or the reason why there is none. Ends the stream if the caller's key is no longer good. */
    private boolean send(Prefetch.Item item) throws CallRefusal, InterruptedException {
        StoredBlock block;
        try {
            block = block(item);
        } catch (CallRefusal refusal) {
            ahead.removeFirst();
            if (refusal.isOfCaller()) {
                throw refusal;
            }
            return sender.send(item.index, refusal.status());
        }
        ahead.removeFirst();
        return sender.send(item.index, block, item.partBytes);
    }

    private StoredBlock block(Prefetch.Item item) throws CallRefusal, InterruptedException {
        CompletableFuture<Fetched> load = item.load();
        if (item.refusal != null) {
            throw item.refusal;
        }
        if (load == null || item.key == null) {
            throw new IllegalStateException("an item is either refused or loaded");
        }
        StoredBlock block;
        try {
            block = Reads.found(load.get());
        } catch (ExecutionException e) {
            throw CallFailures.refusal(e, item.resourceName);
        }
        try {
            // The rights are checked again, since the block may have waited for its turn for long.
            RequestAuthorisation.AuthorisedAccount authorisedAccount = reading(item.resourceName, item.key.root());
            AccountUsage usage = input.slot().share(authorisedAccount.account());
            if (reads.pace(usage, block.header().bufferBytes(), this::pause)) {
                authorisation.reading(credential, item.resourceName, item.key.root());
            }
            item.filter.check(block.header());
            reads.served(authorisedAccount.account(), item.key, block);
            return block;
        } catch (CallRefusal refusal) {
            // Any other exception here ends the stream, which gives back the blocks that it has loaded.
            block.release();
            throw refusal;
        }
    }

    /**
     * The caller's rights, checked again for every message and not for every block, since hundreds of small blocks go
     * out within a millisecond. So a revoked right ends the stream.
     */
    private RequestAuthorisation.AuthorisedAccount reading(String name, BlockHash root) throws CallRefusal {
        RequestAuthorisation.AuthorisedAccount known = checked;
        if (known != null
                && root.equals(checkedRoot)
                && name.equals(known.account().resourceName())) {
            return known;
        }
        RequestAuthorisation.AuthorisedAccount authorisedAccount = authorisation.reading(credential, name, root);
        checked = authorisedAccount;
        checkedRoot = root;
        return authorisedAccount;
    }

    /** Waits for the account's limit. Meanwhile blocks that are ready are sent, and other calls have the slot. */
    private void pause(Duration time) throws CallRefusal, InterruptedException {
        checked = null;
        boolean here = sender.flush();
        if (here) {
            input.awaitTurn(time);
        }
        CallRefusal closingRefusal = input.closing();
        if (closingRefusal != null) {
            throw closingRefusal;
        }
        if (!here || input.isCancelled()) {
            throw CallRefusal.of(Code.CANCELLED, "the client has left");
        }
    }

    private void takeIn() {
        while (endingRefusal == null && ahead.size() < ServiceLimits.STREAM_PENDING) {
            endingRefusal = input.closing();
            if (endingRefusal != null) {
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

    /** Begins with the next request; false if nothing has arrived. */
    private boolean begin() {
        Received<StreamingReadRequest> request = null;
        try {
            request = input.poll();
            if (request == null) {
                return false;
            }
            taking = taking(request);
        } catch (CallRefusal refusal) {
            endingRefusal = refusal;
            if (request != null) {
                input.done(request);
            }
        }
        return true;
    }

    private Taking taking(Received<StreamingReadRequest> received) throws CallRefusal {
        String flaw = received.flaw();
        if (flaw != null) {
            throw CallRefusal.invalid("request", flaw);
        }
        StreamingReadRequest request = received.message();
        if (!request.getResourceName().isEmpty()) {
            resourceName = request.getResourceName();
        }
        if (request.getWritersCount() > 0) {
            writers = WriterFilter.of(request.getWritersList());
        }
        if (!resourceName.equals(granted)) {
            Account account = authorisation.grant(credential, resourceName).account();
            input.slot().join(account);
            ahead.limit(input.slot().share(account));
            granted = resourceName;
        }
        BlockFilter filter = new BlockFilter(writers, BlockFilter.length(request.getExpectedBytes()));
        return new Taking(received, partBytes(request.getMaxPartBytes()), filter);
    }

    private void take(Taking current) {
        StreamingReadRequest request = current.request.message();
        while (current.next < request.getLocationsCount()) {
            if (ahead.size() >= ServiceLimits.STREAM_PENDING) {
                return;
            }
            ByteString location = request.getLocations(current.next++);
            int index = nextIndex++;
            try {
                Location wanted = RequestAuthorisation.location(location, "locations");
                RequestAuthorisation.AuthorisedAccount authorisedAccount = reading(resourceName, wanted.root());
                reads.requireHope(input.slot().share(authorisedAccount.account()));
                ahead.add(
                        index,
                        current.partBytes,
                        authorisedAccount.key(wanted),
                        authorisedAccount.origin(),
                        resourceName,
                        current.filter,
                        null);
            } catch (CallRefusal refusal) {
                ahead.add(index, current.partBytes, null, null, resourceName, current.filter, refusal);
            }
        }
        finishTaking();
    }

    private void finishTaking() {
        Taking over = taking;
        taking = null;
        if (over != null) {
            input.done(over.request);
        }
    }

    private static int partBytes(int wanted) throws CallRefusal {
        try {
            return PartSizes.bytes(wanted);
        } catch (IllegalArgumentException e) {
            throw RequestAuthorisation.invalid(e);
        }
    }
}
