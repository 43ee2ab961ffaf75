package dev.kvstore.benchmark.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import org.junit.jupiter.api.Test;

/** Calls that are reset at once, as a server reads them. */
class ResetCallsTest {
    private final ResetCalls calls = ResetCalls.withMadeUpKeys("/a.Service/Call");

    private record ResetFrame(int type, int stream, ByteBuf payload) {
        static ResetFrame read(ByteBuf bytes) {
            int length = bytes.readMedium();
            int type = bytes.readByte();
            bytes.skipBytes(1);
            return new ResetFrame(type, bytes.readInt(), bytes.readSlice(length));
        }

        Http2Headers headers() throws Http2Exception {
            return new DefaultHttp2HeadersDecoder().decodeHeaders(stream, payload);
        }
    }

    @Test
    void eachCallHasTheHeadersOfAClient() throws Http2Exception {
        Http2Headers headers =
                ResetFrame.read(Unpooled.wrappedBuffer(calls.next(1))).headers();

        assertThat(headers.path()).hasToString("/a.Service/Call");
        assertThat(headers.method()).hasToString("POST");
        assertThat(headers.get("authorization").toString()).matches("Bearer kv_[0-9a-z]{8,32}_[A-Za-z0-9_-]{43}");
    }

    @Test
    void eachCallIsResetInItsOwnStream() {
        ByteBuf bytes = Unpooled.wrappedBuffer(calls.next(1));
        for (int call = 0; call < ResetCalls.CALLS; call++) {
            ResetFrame headers = ResetFrame.read(bytes);
            ResetFrame reset = ResetFrame.read(bytes);

            assertThat(headers.type()).isEqualTo(RawConnection.HEADERS);
            assertThat(headers.stream()).isEqualTo(2 * call + 1);
            assertThat(reset.type()).isEqualTo(RawConnection.RST_STREAM);
            assertThat(reset.stream()).isEqualTo(headers.stream());
        }
        assertThat(bytes.isReadable()).isFalse();
    }

    @Test
    void theNextCallsHaveOtherKeysAndLaterStreams() throws Http2Exception {
        ResetFrame first = ResetFrame.read(Unpooled.copiedBuffer(calls.next(1)));

        ResetFrame later = ResetFrame.read(Unpooled.copiedBuffer(calls.next(201)));

        assertThat(later.stream()).isEqualTo(201);
        assertThat(later.headers().get("authorization"))
                .isNotEqualTo(first.headers().get("authorization"));
    }

    @Test
    void ofATenantAllHaveItsKey() throws Http2Exception {
        ResetCalls tenant = ResetCalls.withKey("/a.Service/Call", "kv_own_key");

        ResetFrame call = ResetFrame.read(Unpooled.wrappedBuffer(tenant.next(3)));

        assertThat(call.stream()).isEqualTo(3);
        assertThat(call.headers().get("authorization")).hasToString("Bearer kv_own_key");
    }

    @Test
    void aLongHeaderIsReadAsItWasWritten() throws Http2Exception {
        String token = "x".repeat(254);

        ResetFrame call = ResetFrame.read(
                Unpooled.wrappedBuffer(RawConnection.headers(1, "/a.Service/Call", "authorization", token)));

        assertThat(call.headers().get("authorization")).hasToString(token);
    }
}
