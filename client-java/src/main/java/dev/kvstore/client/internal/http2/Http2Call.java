package dev.kvstore.client.internal.http2;

import io.grpc.CallCredentials;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.util.concurrent.Future;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A call, and its stream once there is a connection. The caller may use it from any thread; its listener runs on the
 * event loop.
 */
final class Http2Call<Q, R> extends ClientCall<Q, R> {
    private static final Status INCOMPLETE =
            Status.INTERNAL.withDescription("the server ended the stream inside a message");

    private final Http2Channel channel;
    private final MethodDescriptor<Q, R> method;
    private final CallOptions options;
    private final SendQueue sending = new SendQueue();
    private final Deframer arriving;
    private final AtomicInteger requested = new AtomicInteger();
    private volatile boolean starving;
    private volatile boolean opened;
    private Listener<R> listener = new Listener<>() {};
    private Metadata headers = new Metadata();
    private @Nullable ClientConnection connection;
    private @Nullable Stream stream;
    private @Nullable Future<?> deadline;
    private boolean delivering;
    private boolean answered;
    private boolean closed;
    private @Nullable Status ending;
    private Metadata trailers = new Metadata();

    Http2Call(Http2Channel channel, MethodDescriptor<Q, R> method, CallOptions options) {
        this.channel = channel;
        this.method = method;
        this.options = options;
        this.arriving = new Deframer(channel.mostMessageBytes(), channel.allocator());
    }

    @Override
    public void start(Listener<R> responses, Metadata metadata) {
        channel.run(
                () -> step(() -> begin(responses, metadata)),
                () -> responses.onClose(Http2Channel.CLOSED, new Metadata()));
    }

    @Override
    public void request(int messages) {
        requested.updateAndGet(now -> (int) Math.min(Integer.MAX_VALUE, (long) now + messages));
        if (starving) {
            channel.run(() -> step(this::deliver));
        }
    }

    @Override
    public void sendMessage(Q message) {
        List<ByteBuf> pieces =
                MessageWriter.message(method.streamRequest(message), channel.allocator(), channel.lends());
        sending.announce(pieces.stream().mapToLong(ByteBuf::readableBytes).sum());
        channel.run(() -> step(() -> send(pieces)), () -> pieces.forEach(ByteBuf::release));
    }

    @Override
    public void halfClose() {
        channel.run(() -> step(() -> {
            sending.end();
            sendMore();
        }));
    }

    @Override
    public boolean isReady() {
        return opened && sending.isReady();
    }

    @Override
    public void cancel(@Nullable String message, @Nullable Throwable cause) {
        Status status = Status.CANCELLED.withDescription(message).withCause(cause);
        channel.run(() -> step(() -> fail(status)));
    }

    // Only the event loop calls the methods below.

    /** Runs a step. An unexpected failure ends the call, and its connection with it. */
    private void step(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            broken(e);
        }
    }

    /**
     * Ends the call and its connection. The connection is closed first: lent bytes must not be read once the listener
     * knows of the end.
     */
    private void broken(Throwable cause) {
        ClientConnection clientConnection = connection;
        if (clientConnection != null) {
            clientConnection.broken(cause);
        }
        fail(CallStatuses.gone("the call failed here", cause));
    }

    private void begin(Listener<R> responses, Metadata metadata) {
        if (closed) {
            safely(() ->
                    responses.onClose(Status.CANCELLED.withDescription("cancelled before it began"), new Metadata()));
            return;
        }
        listener = responses;
        headers = metadata;
        Deadline until = options.getDeadline();
        if (until != null) {
            long left = until.timeRemaining(TimeUnit.NANOSECONDS);
            if (left <= 0) {
                end(late());
                return;
            }
            deadline = channel.schedule(() -> step(() -> fail(late())), left);
        }
        channel.begin(this);
    }

    private Status late() {
        return Status.DEADLINE_EXCEEDED.withDescription(
                opened ? "the deadline passed" : "the deadline passed before there was a connection");
    }

    boolean isClosed() {
        return closed;
    }

    SendQueue sending() {
        return sending;
    }

    @Nullable
    CallCredentials credentials() {
        return options.getCredentials();
    }

    MethodDescriptor<Q, R> method() {
        return method;
    }

    /** The headers of the request, without those that credentials add. */
    Metadata headers() {
        return headers;
    }

    /** The time left, as the header for the server; empty if there is no limit. */
    String timeout() {
        Deadline until = options.getDeadline();
        return until == null ? "" : CallStatuses.timeout(until.timeRemaining(TimeUnit.NANOSECONDS));
    }

    /** The bytes that the server may send before the reader takes them. */
    int window() {
        Integer window = options.getOption(Http2Channel.WINDOW);
        return Math.max(
                Http2CodecUtil.DEFAULT_WINDOW_SIZE,
                window == null ? channel.settings().windowBytes() : window);
    }

    /** Gives the call its stream. */
    void opened(ClientConnection clientConnection, Stream its, long window) {
        connection = clientConnection;
        stream = its;
        sending.widen(window);
        opened = true;
        if (sending.isReady()) {
            safely(listener::onReady);
        }
    }

    private void send(List<ByteBuf> pieces) {
        if (closed || ending != null) {
            pieces.forEach(ByteBuf::release);
            return;
        }
        sending.add(pieces);
        sendMore();
    }

    private void sendMore() {
        ClientConnection clientConnection = connection;
        Stream its = stream;
        if (clientConnection != null && its != null && !closed) {
            clientConnection.sendSoon(its);
        }
    }

    /** Notes that bytes were sent, so that there may be room again. */
    void sent() {
        if (!closed && sending.isReadyAgain()) {
            safely(listener::onReady);
        }
    }

    void fieldsArrived(HeaderBlocks.ResponseFields fields, boolean last) {
        if (closed || ending != null) {
            return;
        }
        boolean informational = fields.status() >= 100 && fields.status() < 200;
        if (informational && !last) {
            return;
        }
        if (!answered) {
            Status flaw = CallStatuses.unlessGrpc(fields);
            if (flaw != null) {
                fail(flaw);
                return;
            }
        }
        if (last) {
            over(CallStatuses.ofTrailers(fields.metadata()), fields.metadata());
        } else if (answered) {
            fail(Status.INTERNAL.withDescription("the server sent its headers twice"));
        } else {
            answered = true;
            safely(() -> listener.onHeaders(fields.metadata()));
        }
    }

    void pieceArrived(ByteBuf piece) {
        if (closed || ending != null) {
            piece.release();
            return;
        }
        if (!answered) {
            piece.release();
            fail(Status.INTERNAL.withDescription("the server sent a message before its headers"));
            return;
        }
        arriving.add(piece);
        deliver();
        arriving.settle();
    }

    /** Ends the call, since the server ended the stream without trailers. */
    void cutShort() {
        if (ending == null) {
            over(Status.INTERNAL.withDescription("the server ended the stream without saying how"), new Metadata());
        }
    }

    /** Ends the call, since the server is done; messages that have arrived are delivered first. */
    private void over(Status status, Metadata with) {
        ending = status;
        trailers = with;
        deliver();
        ClientConnection clientConnection = connection;
        Stream its = stream;
        if (!closed && clientConnection != null && its != null) {
            boolean tell = !sending.isEndTaken();
            sending.clear();
            channel.answered(this);
            clientConnection.leave(its, tell);
        }
    }

    private void deliver() {
        if (delivering || closed) {
            return;
        }
        delivering = true;
        try {
            deliverRequested();
            Status how = ending;
            if (how != null && !closed && !arriving.isReady()) {
                // A server may be done before it has received everything: the rest is not sent.
                end(how.isOk() && arriving.isInside() ? INCOMPLETE : how, trailers, !sending.isEndTaken());
            }
        } catch (StatusException e) {
            fail(e.getStatus());
        } finally {
            delivering = false;
        }
    }

    private void deliverRequested() throws StatusException {
        int delivered = 0;
        while (!closed && isWanted() && arriving.isReady()) {
            requested.decrementAndGet();
            delivered += deliverOne();
        }
        ClientConnection clientConnection = connection;
        Stream its = stream;
        if (!closed && clientConnection != null && its != null) {
            // If the application waits, more of a message may come, however long the message is.
            clientConnection.taken(its, requested.get() > 0 ? its.held() : Math.min(its.held(), delivered));
        }
    }

    /** Whether the reader has requested one more message; if not, its next request resumes the delivery. */
    private boolean isWanted() {
        if (requested.get() == 0) {
            starving = true;
            if (requested.get() == 0) {
                return false;
            }
        }
        starving = false;
        return true;
    }

    /** Delivers a message, and returns the number of its bytes. */
    private int deliverOne() throws StatusException {
        MessageBytes bytes = arriving.poll();
        if (bytes == null) {
            return 0;
        }
        int length = bytes.available() + Deframer.PREFIX_BYTES;
        R message;
        try (bytes) {
            message = method.parseResponse(bytes);
        } catch (StatusRuntimeException e) {
            fail(e.getStatus());
            return length;
        } catch (RuntimeException | Error e) {
            fail(Status.INTERNAL.withDescription("a message cannot be read").withCause(e));
            return length;
        }
        safely(() -> listener.onMessage(message));
        return length;
    }

    /** Calls the listener; an exception of the listener ends the call. */
    private void safely(Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException | Error e) {
            fail(Status.CANCELLED.withDescription("the listener failed").withCause(e));
        }
    }

    /** Ends the call from this side, and tells the server if it had begun. */
    void fail(Status status) {
        end(status, new Metadata(), true);
    }

    /**
     * Ends the call, since the server reset the stream. After trailers, a reset only means that the server takes no
     * more bytes.
     */
    void reset(long error) {
        if (ending == null) {
            end(CallStatuses.ofReset(error));
        }
    }

    /** Ends the call; the server knows that it is over. */
    void end(Status status) {
        end(status, new Metadata(), false);
    }

    /** Ends the call, and gives back the bytes that were not delivered. */
    private void end(Status status, Metadata with, boolean tell) {
        if (closed) {
            return;
        }
        closed = true;
        Future<?> timer = deadline;
        if (timer != null) {
            timer.cancel(false);
        }
        boolean overdue = isOverdue(status);
        Status known = overdue ? late() : status;
        Metadata said = overdue ? new Metadata() : with; // the trailers belong to the server's status, not to this one
        step(arriving::clear);
        step(sending::clear);
        step(() -> leave(tell));
        safely(() -> listener.onClose(known, said));
    }

    private void leave(boolean tell) {
        ClientConnection clientConnection = connection;
        Stream its = stream;
        if (clientConnection != null && its != null) {
            clientConnection.leave(its, tell);
            channel.read(this);
        } else {
            channel.forget(this);
        }
    }

    /** Whether a server ended the call because its time is over, before the timer here did. */
    private boolean isOverdue(Status status) {
        Deadline until = options.getDeadline();
        return status.getCode() == Status.Code.CANCELLED && stream != null && until != null && until.isExpired();
    }
}
