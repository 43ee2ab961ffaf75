package dev.kvstore.client.internal.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Metadata;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.Http2Error;
import org.junit.jupiter.api.Test;

/** The bytes of header fields that a server may make a connection keep. */
class HeaderBlocksTest {
    private static final Metadata.Key<String> FIELD = Metadata.Key.of("field", Metadata.ASCII_STRING_MARSHALLER);
    private static final int FIELD_BYTES = 1000;

    private final HeaderBlocks blocks = new HeaderBlocks(false, "somewhere", "test");

    @Test
    void aServerThatKeepsMuchDoesNotMakeItsClientKeepAsMuch() throws Exception {
        blocks.peerTable(0xFFFF_FFFFL);
        encode('a');
        assertThat(encode('a')).as("known from the call before").isLessThan(FIELD_BYTES / 10);
        for (char c = 'b'; c <= 'z'; c++) {
            encode(c);
        }

        assertThat(encode('a')).as("forgotten").isGreaterThan(FIELD_BYTES / 2);
    }

    @Test
    void aServerThatKeepsNothingIsToldEverythingEachTime() throws Exception {
        blocks.peerTable(0);
        encode('a');

        assertThat(encode('a')).isGreaterThan(FIELD_BYTES / 2);
    }

    /** A call's fields; how many bytes they became. */
    private int encode(char c) {
        Metadata metadata = new Metadata();
        metadata.put(FIELD, String.valueOf(c).repeat(FIELD_BYTES));
        ByteBuf block = Unpooled.buffer();
        blocks.encode(1, "/test.Service/Method", "", metadata, block);
        return block.readableBytes();
    }

    /** RFC 7541, section 6.3: 4097 as an integer of five bits and what is beyond. */
    @Test
    void aServerThatWantsALargerTableThanItWasToldIsWrong() {
        ByteBuf block = Unpooled.wrappedBuffer(new byte[] {0x3F, (byte) 0xE2, 0x1F});

        assertThatThrownBy(() -> blocks.decode(1, block))
                .isInstanceOfSatisfying(
                        ProtocolException.class,
                        flaw -> assertThat(flaw.error()).isEqualTo(Http2Error.COMPRESSION_ERROR));
    }
}
