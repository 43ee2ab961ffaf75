package dev.kvstore.client.internal.http2;

import static io.netty.handler.codec.http2.Http2Error.ENHANCE_YOUR_CALM;
import static io.netty.handler.codec.http2.Http2Error.FLOW_CONTROL_ERROR;
import static io.netty.handler.codec.http2.Http2Error.PROTOCOL_ERROR;

import io.grpc.CallCredentials;
import io.grpc.Metadata;
import io.grpc.Status;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.util.collection.IntObjectHashMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP/2 connection and its streams, from the first bytes to the last. Only its event loop uses it. An error of a
 * stream ends that stream; an error of the connection ends the connection and all its streams.
 */
final class ClientConnection implements FrameSink {
    /**
     * The most unsent answers to a peer's requests: a peer beyond them takes no answers and only wants to fill memory.
     */
    private static final int MOST_UNSENT_ANSWERS = 1000;

    private final Http2Channel channel;
    private final ChannelHandlerContext context;
    private final boolean encrypted;
    private final HeaderBlocks fields;
    private final FrameDecoder decoder = new FrameDecoder(this, Http2CodecUtil.MAX_FRAME_SIZE_UPPER_BOUND);
    private final FrameWriter writer;
    private final Sender sender;
    private final IntObjectHashMap<Stream> streams = new IntObjectHashMap<>();
    private final Queue<Http2Call<?, ?>> waiting = new ArrayDeque<>();

    /** Calls that are next, and whose credentials have not answered yet. */
    private final Set<Http2Call<?, ?>> asking = new HashSet<>();

    private final Credit credit;
    private final KeepAlive pulse;
    private boolean ready;
    private boolean draining;
    private boolean gone;
    private boolean admitting;
    private @Nullable Status why;
    private int nextId = 1;
    private int padding;
    private int unsentAnswers;
    private long peerWindow = Http2CodecUtil.DEFAULT_WINDOW_SIZE;
    private long peerStreams = Integer.MAX_VALUE;

    ClientConnection(Http2Channel channel, ChannelHandlerContext context, boolean encrypted) {
        ChannelSettings settings = channel.settings();
        this.channel = channel;
        this.context = context;
        this.encrypted = encrypted;
        this.fields = new HeaderBlocks(encrypted, channel.authority(), settings.userAgent());
        this.writer = new FrameWriter(context);
        this.sender = new Sender(context, writer, this::broken);
        this.credit = new Credit(settings.windowBytes());
        this.pulse = new KeepAlive(settings, System.nanoTime());
    }

    /** Sends the first frames. The socket, and TLS on it, are ready. */
    void begin() {
        writer.preface(
                channel.settings().windowBytes(), Http2CodecUtil.MAX_FRAME_SIZE_UPPER_BOUND, HeaderBlocks.MOST_BYTES);
        context.flush();
        look();
    }

    /** Whether the peer has shown that it speaks HTTP/2. */
    boolean isReady() {
        return ready;
    }

    /** Whether the connection takes calls. */
    boolean isOpen() {
        return ready && !draining && !gone && why == null && nextId < channel.lastId();
    }

    /** Opens a stream for a call, as soon as the peer takes one more. */
    void open(Http2Call<?, ?> call) {
        if (!isOpen()) {
            channel.open(call);
            return;
        }
        if (isFull()) {
            waiting.add(call);
            return;
        }
        CallCredentials credentials = call.credentials();
        if (credentials == null) {
            open(call, new Metadata());
            return;
        }
        asking.add(call);
        Applied.ask(
                credentials,
                new Applied.About(
                        call.method(),
                        channel.authority(),
                        encrypted,
                        context.channel().remoteAddress()),
                more -> channel.run(() -> applied(call, more)),
                status -> channel.run(() -> call.fail(status)));
    }

    private boolean isFull() {
        return streams.size() + asking.size() >= peerStreams;
    }

    private void applied(Http2Call<?, ?> call, Metadata more) {
        if (asking.remove(call)) {
            open(call, more);
        }
    }

    private void open(Http2Call<?, ?> call, Metadata more) {
        if (!isOpen()) {
            channel.open(call);
            return;
        }
        try {
            begin(call, more);
        } catch (RuntimeException | Error e) {
            broken(e);
            call.fail(CallStatuses.gone("the call failed here", e));
        }
    }

    private void begin(Http2Call<?, ?> call, Metadata more) {
        Metadata all = new Metadata();
        all.merge(call.headers());
        all.merge(more);
        int id = nextId;
        ByteBuf block = encoded(call, id, all);
        if (block == null) {
            return;
        }
        nextId += 2;
        writer.headers(id, block, sender.peerFrameBytes());
        if (streams.isEmpty()) {
            pulse.rests(System.nanoTime());
        }
        int window = call.window();
        if (window > Http2CodecUtil.DEFAULT_WINDOW_SIZE) {
            writer.window(id, window - Http2CodecUtil.DEFAULT_WINDOW_SIZE);
        }
        Stream stream = new Stream(call, id, new Credit(window));
        streams.put(id, stream);
        call.opened(this, stream, peerWindow);
        sender.ready(stream);
        if (nextId >= channel.lastId() && !draining) {
            drain();
        }
    }

    /** The bytes of a call's request fields; null if they are invalid, which fails the call. */
    private @Nullable ByteBuf encoded(Http2Call<?, ?> call, int id, Metadata all) {
        ByteBuf block = context.alloc().directBuffer();
        boolean whole = false;
        try {
            fields.encode(id, "/" + call.method().getFullMethodName(), call.timeout(), all, block);
            whole = true;
            return block;
        } catch (IllegalArgumentException e) {
            call.fail(Status.INTERNAL.withDescription(e.getMessage()).withCause(e));
            return null;
        } finally {
            if (!whole) {
                block.release();
            }
        }
    }

    void sendSoon(Stream stream) {
        sender.ready(stream);
    }

    /** Notes that a reader took bytes of a stream. */
    void taken(Stream stream, int bytes) {
        int more = stream.take(bytes);
        if (more > 0 && streams.containsKey(stream.id())) {
            writer.window(stream.id(), more);
            sender.soon();
        }
    }

    /**
     * Removes the stream of a call that is over, or whose server has sent everything.
     *
     * @param tell whether to tell the server that the stream is over
     */
    void leave(Stream stream, boolean tell) {
        if (streams.remove(stream.id()) == null) {
            return;
        }
        if (tell && !gone) {
            writer.reset(stream.id(), Http2Error.CANCEL);
            sender.soon();
        }
        if (streams.isEmpty()) {
            pulse.rests(System.nanoTime());
        }
        next();
    }

    /** Forgets a call that is over and may have waited for its turn, or for its credentials. */
    void forget(Http2Call<?, ?> call) {
        waiting.remove(call);
        if (asking.remove(call)) {
            next();
        }
    }

    /** Admits calls that had to wait, or closes an unneeded connection. */
    private void next() {
        if (admitting) {
            return; // a call that was admitted ended at once
        }
        admitting = true;
        try {
            admit();
        } finally {
            admitting = false;
        }
        if (draining && isUnused()) {
            close();
        } else {
            channel.settle();
        }
    }

    private boolean isUnused() {
        return streams.isEmpty() && asking.isEmpty() && waiting.isEmpty();
    }

    /** Closes the connection if it has no call. */
    void closeIfUnused() {
        if (!draining && isUnused()) {
            drain();
        }
    }

    private void admit() {
        while (isOpen() && !isFull()) {
            Http2Call<?, ?> call = waiting.poll();
            if (call == null) {
                break;
            }
            if (!call.isClosed()) {
                open(call);
            }
        }
    }

    /** Takes no more calls, and closes the connection when the open calls have ended. */
    void drain() {
        draining = true;
        channel.left(this);
        List<Http2Call<?, ?>> homeless = List.copyOf(waiting);
        waiting.clear();
        homeless.stream().filter(call -> !call.isClosed()).forEach(channel::open);
        next();
    }

    private void close() {
        if (!gone) {
            writer.goAway(Http2Error.NO_ERROR);
            context.flush();
            var unused = context.close();
        }
    }

    /** Fails everything under way, and closes the connection. */
    void giveUp(Status status) {
        if (why == null) {
            why = status;
        }
        var unused = context.close();
    }

    /** Gives up the connection after an unexpected failure: from now on, the two sides may disagree on its state. */
    void broken(Throwable cause) {
        giveUp(CallStatuses.gone("the connection failed here", cause));
    }

    /** Takes the bytes that arrived. */
    void received(ByteBuf bytes) {
        if (why != null) {
            return;
        }
        pulse.heard(System.nanoTime());
        try {
            decoder.decode(bytes);
        } catch (ProtocolException e) {
            writer.goAway(e.error());
            context.flush();
            giveUp(CallStatuses.gone(String.valueOf(e.getMessage()), e));
        }
    }

    /** Notes that the socket takes more bytes. */
    void writable() {
        sender.soon();
    }

    /**
     * Fails everything under way, since the socket is gone.
     *
     * @param unknown the status if this side knows no better one
     * @return the status of the end
     */
    Status lost(Status unknown) {
        gone = true;
        Status status = why == null ? unknown : why;
        why = status;
        channel.left(this);
        for (Stream stream : List.copyOf(streams.values())) {
            stream.call().end(status);
        }
        List<Http2Call<?, ?>> homeless = new ArrayList<>(waiting);
        homeless.addAll(asking);
        waiting.clear();
        asking.clear();
        homeless.forEach(call -> call.end(status));
        channel.closed(this);
        return status;
    }

    /** Checks the connection again and again, as long as it lives. */
    private void look() {
        if (gone) {
            return;
        }
        try {
            beat();
        } catch (RuntimeException | Error e) {
            broken(e);
        }
        var unused = context.executor().schedule(this::look, pulse.interval().toNanos(), TimeUnit.NANOSECONDS);
    }

    private void beat() {
        switch (pulse.look(!streams.isEmpty(), System.nanoTime())) {
            case WELL -> {}
            case ASK -> {
                writer.ping(false, System.nanoTime());
                context.flush();
            }
            case DEAD -> giveUp(CallStatuses.gone("Keepalive failed. The connection is likely gone", null));
            case IDLE -> {
                if (ready) {
                    drain();
                }
            }
        }
    }

    private @Nullable Stream stream(int id) throws ProtocolException {
        Stream stream = streams.get(id);
        if (stream == null && (id >= nextId || id % 2 == 0)) {
            throw new ProtocolException(PROTOCOL_ERROR, "a frame of stream " + id + ", which nobody opened");
        }
        return stream;
    }

    @Override
    public void data(int id, int bytes) throws ProtocolException {
        padding = bytes;
        if (!credit.receive(bytes)) {
            throw new ProtocolException(FLOW_CONTROL_ERROR, "more than the connection's window");
        }
        // A slow reader holds up its own stream, and no other.
        int more = credit.take(bytes);
        if (more > 0) {
            writer.window(0, more);
            sender.soon();
        }
        Stream stream = stream(id);
        if (stream != null && !stream.receive(bytes)) {
            throw new ProtocolException(FLOW_CONTROL_ERROR, "more than the stream's window");
        }
    }

    @Override
    public void piece(int id, ByteBuf piece) throws ProtocolException {
        padding -= piece.readableBytes();
        Stream stream = streams.get(id);
        if (stream == null) {
            piece.release();
        } else {
            stream.hold(piece.readableBytes());
            stream.call().pieceArrived(piece);
        }
    }

    @Override
    public void dataEnded(int id, boolean last) {
        Stream stream = streams.get(id);
        if (stream != null) {
            stream.hold(padding);
            taken(stream, padding);
            if (last) {
                stream.call().cutShort();
            }
        }
    }

    @Override
    public void headers(int id, ByteBuf block, boolean last) throws ProtocolException {
        Stream stream = stream(id);
        try {
            HeaderBlocks.ResponseFields found = fields.decode(id, block);
            if (stream != null) {
                stream.call().fieldsArrived(found, last);
            }
        } catch (HeaderBlocks.BadFieldsException e) {
            if (stream != null) {
                stream.call()
                        .fail(Status.INTERNAL
                                .withDescription("the server's headers: " + e.getMessage())
                                .withCause(e));
            }
        }
    }

    @Override
    public void reset(int id, long error) throws ProtocolException {
        Stream stream = stream(id);
        if (stream != null) {
            stream.call().reset(error);
        }
    }

    @Override
    public void setting(int name, long value) throws ProtocolException {
        switch (name) {
            case Http2CodecUtil.SETTINGS_HEADER_TABLE_SIZE -> fields.peerTable(value);
            case Http2CodecUtil.SETTINGS_MAX_CONCURRENT_STREAMS -> peerStreams = value;
            case Http2CodecUtil.SETTINGS_INITIAL_WINDOW_SIZE -> window(value);
            case Http2CodecUtil.SETTINGS_MAX_FRAME_SIZE -> {
                if (value < Http2CodecUtil.MAX_FRAME_SIZE_LOWER_BOUND
                        || value > Http2CodecUtil.MAX_FRAME_SIZE_UPPER_BOUND) {
                    throw new ProtocolException(PROTOCOL_ERROR, "SETTINGS_MAX_FRAME_SIZE " + value);
                }
                sender.peerFrameBytes((int) value);
            }
            default -> {} // unknown settings must be ignored
        }
    }

    private void window(long bytes) throws ProtocolException {
        if (bytes > Integer.MAX_VALUE) {
            throw new ProtocolException(FLOW_CONTROL_ERROR, "SETTINGS_INITIAL_WINDOW_SIZE " + bytes);
        }
        long more = bytes - peerWindow;
        peerWindow = bytes;
        for (Stream stream : streams.values()) {
            stream.call().sending().widen(more);
            sender.ready(stream);
        }
    }

    @Override
    public void settingsEnded(boolean acknowledged) throws ProtocolException {
        if (acknowledged) {
            return;
        }
        writer.settingsAcknowledged();
        answered();
        if (!ready) {
            ready = true;
            channel.ready(this);
        }
        next();
    }

    @Override
    public void ping(boolean answer, long content) throws ProtocolException {
        if (!answer) {
            writer.ping(true, content);
            answered();
        }
    }

    /** Notes that answers to the peer's requests go out with the next flush. */
    private void answered() throws ProtocolException {
        unsentAnswers = context.channel().isWritable() ? 0 : unsentAnswers + 1;
        if (unsentAnswers > MOST_UNSENT_ANSWERS) {
            throw new ProtocolException(ENHANCE_YOUR_CALM, "the peer asks and does not take the answers");
        }
        sender.soon();
    }

    @Override
    public void goAway(int last, long error, String reason) {
        Status status = CallStatuses.ofGoAway(error, reason);
        // This comes first: calls that end below admit others, which must not come here.
        drain();
        for (Stream stream : List.copyOf(streams.values())) {
            if (stream.id() > last) {
                stream.call().end(status);
            }
        }
    }

    @Override
    public void window(int id, int bytes) throws ProtocolException {
        if (id == 0) {
            if (bytes == 0 || !sender.widen(bytes)) {
                throw new ProtocolException(FLOW_CONTROL_ERROR, "WINDOW_UPDATE of " + bytes);
            }
            return;
        }
        Stream stream = stream(id);
        if (stream == null) {
            return;
        }
        stream.call().sending().widen(bytes);
        if (bytes == 0 || stream.call().sending().window() > Integer.MAX_VALUE) {
            stream.call().fail(Status.INTERNAL.withDescription("the server's WINDOW_UPDATE of " + bytes));
            return;
        }
        sender.ready(stream);
    }
}
