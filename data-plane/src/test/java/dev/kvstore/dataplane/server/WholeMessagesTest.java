package dev.kvstore.dataplane.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionDecoder;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionEncoder;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.DefaultHttp2FrameWriter;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.netty.handler.codec.http2.Http2RemoteFlowController;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** The frames that a connection of Netty sends to a peer that takes 16 kB frames. */
class WholeMessagesTest {
    private static final int STREAM_WINDOW = 2_000_000;
    private static final int BLOCK = 1_200_000;
    private static final int HEADER_BYTES = 9;

    private final Http2Connection connection = new DefaultHttp2Connection(true);
    private final EmbeddedChannel channel;
    private final Http2ConnectionHandler handler;

    /** A frame of data. */
    private record SentFrame(int stream, int bytes) {}

    WholeMessagesTest() throws Http2Exception {
        WholeMessages.on(connection);
        Http2ConnectionEncoder encoder = new DefaultHttp2ConnectionEncoder(connection, new DefaultHttp2FrameWriter());
        handler = new Http2ConnectionHandlerBuilder()
                .codec(new DefaultHttp2ConnectionDecoder(connection, encoder, new DefaultHttp2FrameReader()), encoder)
                .frameListener(new Http2FrameAdapter())
                .build();
        channel = new EmbeddedChannel(handler);
        flow().initialWindowSize(STREAM_WINDOW);
        widen(100_000_000);
        channel.releaseOutbound();
    }

    @Test
    void aBlockIsOutBeforeTheNextBegins() throws Exception {
        answer(1, BLOCK);
        answer(3, BLOCK);
        answer(5, BLOCK);

        assertThat(streams(sent())).containsExactly(1, 3, 5);
    }

    @Test
    void whatIsBriefDoesNotWaitForBlocks() throws Exception {
        answer(1, BLOCK);
        answer(3, BLOCK);
        answer(5, 100);

        List<SentFrame> frames = sent();

        assertThat(streams(frames.subList(0, 1))).containsExactly(5);
        assertThat(bytes(frames)).isEqualTo(Map.of(1, BLOCK, 3, BLOCK, 5, 100));
    }

    @Test
    void aBlockWhoseHeadCameFirstIsNotBrief() throws Exception {
        answer(1, 5);
        data(1, BLOCK);
        answer(3, 100);

        assertThat(streams(sent().subList(0, 2))).containsExactly(3, 1);
    }

    @Test
    void whoseReaderTakesNoMoreKeepsNoOtherWaiting() throws Exception {
        answer(1, 3 * BLOCK);
        answer(3, BLOCK);

        assertThat(bytes(sent())).isEqualTo(Map.of(1, STREAM_WINDOW, 3, BLOCK));

        flow().incrementWindowSize(connection.stream(1), 3 * BLOCK);

        assertThat(bytes(sent())).isEqualTo(Map.of(1, 3 * BLOCK - STREAM_WINDOW));
    }

    @Test
    void whoseReaderIsGoneLeavesTheConnectionToOthers() throws Exception {
        answer(1, BLOCK);
        answer(3, BLOCK);
        var _ = handler.resetStream(context(), 1, Http2Error.CANCEL.code(), channel.newPromise());

        Map<Integer, Integer> sent = bytes(sent());
        assertThat(sent.get(3)).isEqualTo(BLOCK);
        assertThat(sent.getOrDefault(1, 0)).as("what the socket took before").isLessThan(BLOCK / 10);
    }

    @Test
    void aConnectionThatTakesNoMoreGoesOnWhereItStopped() throws Exception {
        flow().incrementWindowSize(connection.connectionStream(), -flow().windowSize(connection.connectionStream()));
        answer(1, BLOCK);
        answer(3, BLOCK);
        widen(BLOCK / 2);
        List<SentFrame> first = sent();
        widen(BLOCK);
        List<SentFrame> second = sent();

        assertThat(bytes(first)).isEqualTo(Map.of(1, BLOCK / 2));
        assertThat(bytes(second)).isEqualTo(Map.of(1, BLOCK / 2, 3, BLOCK / 2));
        assertThat(streams(second)).containsExactly(1, 3);
    }

    @Test
    void whatIsEmptyGoesThoughItsReaderTakesNothing() throws Exception {
        flow().initialWindowSize(0);
        open(1);
        var _ = handler.encoder().writeData(context(), 1, Unpooled.EMPTY_BUFFER, 0, true, channel.newPromise());

        assertThat(sent()).containsExactly(new SentFrame(1, 0));
    }

    @Property(tries = 300)
    void allThatReadersTakeIsSentAndNotMore(
            @ForAll @Size(max = 30) List<@IntRange(max = 3_000_000) Integer> answers,
            @ForAll @Size(min = 30, max = 30) List<@IntRange(max = 2_000_000) Integer> more)
            throws Exception {
        new WholeMessagesTest().answered(answers, more);
    }

    /** Reads now and then; every other reader takes more meanwhile. */
    private void answered(List<Integer> answers, List<Integer> more) throws Exception {
        Map<Integer, Integer> sent = new HashMap<>();
        Map<Integer, Integer> taken = new HashMap<>();
        for (int i = 0; i < answers.size(); i++) {
            int stream = 2 * i + 1;
            answer(stream, answers.get(i));
            if (i % 3 == 0) {
                bytes(sent()).forEach((id, bytes) -> sent.merge(id, bytes, Integer::sum));
            }
            int room = i % 2 == 0 ? more.get(i) : 0;
            flow().incrementWindowSize(connection.stream(stream), room);
            taken.put(stream, Math.min(answers.get(i), STREAM_WINDOW + room));
        }
        bytes(sent()).forEach((id, bytes) -> sent.merge(id, bytes, Integer::sum));

        taken.forEach((id, bytes) ->
                assertThat(sent.getOrDefault(id, 0)).as("of stream " + id).isEqualTo(bytes));
        channel.finishAndReleaseAll();
    }

    private Http2RemoteFlowController flow() {
        return connection.remote().flowController();
    }

    private void widen(int bytes) throws Http2Exception {
        flow().incrementWindowSize(connection.connectionStream(), bytes);
    }

    private ChannelHandlerContext context() {
        return channel.pipeline().context(handler);
    }

    private void open(int stream) throws Http2Exception {
        connection.remote().createStream(stream, true);
        var _ = handler.encoder()
                .writeHeaders(context(), stream, new DefaultHttp2Headers(), 0, false, channel.newPromise());
    }

    private void answer(int stream, int bytes) throws Http2Exception {
        open(stream);
        data(stream, bytes);
    }

    private void data(int stream, int bytes) {
        var _ = handler.encoder()
                .writeData(context(), stream, Unpooled.wrappedBuffer(new byte[bytes]), 0, false, channel.newPromise());
    }

    /** Frames of data, once the connection was flushed. */
    private List<SentFrame> sent() throws Http2Exception {
        flow().writePendingBytes();
        channel.flush();
        ByteBuf all = Unpooled.buffer();
        for (ByteBuf bytes = channel.readOutbound(); bytes != null; bytes = channel.readOutbound()) {
            all.writeBytes(bytes);
            bytes.release();
        }
        List<SentFrame> frames = new ArrayList<>();
        while (all.readableBytes() >= HEADER_BYTES) {
            int length = all.readUnsignedMedium();
            int type = all.readUnsignedByte();
            all.skipBytes(1);
            int stream = all.readInt();
            all.skipBytes(length);
            if (type == Http2FrameTypes.DATA) {
                frames.add(new SentFrame(stream, length));
            }
        }
        return frames;
    }

    /** The streams of the frames, one after the other. */
    private static List<Integer> streams(List<SentFrame> frames) {
        List<Integer> streams = new ArrayList<>();
        for (SentFrame frame : frames) {
            if (streams.isEmpty() || streams.getLast() != frame.stream) {
                streams.add(frame.stream);
            }
        }
        return streams;
    }

    private static Map<Integer, Integer> bytes(List<SentFrame> frames) {
        Map<Integer, Integer> bytes = new HashMap<>();
        frames.forEach(frame -> bytes.merge(frame.stream, frame.bytes, Integer::sum));
        return bytes;
    }
}
