package dev.kvstore.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.v1.WriteRequest;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that come from a socket, under the JVM flags of the build. */
@Timeout(300)
class ReceivedOverNettyTest {
    private Loopback loopback;

    @BeforeEach
    void start() throws Exception {
        loopback = new Loopback();
    }

    @AfterEach
    void stop() throws Exception {
        loopback.end();
    }

    /** From one frame to many, and messages whose last frame is tiny. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 127, 128, 10_000, 16_384, 32_768, 65_537, 1_200_000, 16 * 1024 * 1024})
    void aMessageArrivesWholeAndInPlace(int bufferBytes) throws Exception {
        WriteRequest sent = request(bufferBytes);

        try (Received<WriteRequest> received = loopback.send(sent.toByteArray())) {
            assertThat(received.message()).isEqualTo(sent);
            assertThat(received.bytes()).isEqualTo(sent.getSerializedSize());
            assertThat(received.flaw()).isNull();
        }
        assertThat(loopback.marshaller.inPlace()).isEqualTo(1);
        assertThat(loopback.marshaller.copied()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {10_000, 1_200_000})
    void itsBufferIsNetworkMemory(int bufferBytes) throws Exception {
        try (Received<WriteRequest> received =
                loopback.send(request(bufferBytes).toByteArray())) {
            assertThat(received.message().getChunk().getBuffer().asReadOnlyByteBufferList())
                    .isNotEmpty()
                    .allMatch(ByteBuffer::isDirect);
        }
    }

    @Test
    void networkMemoryIsHeldUntilTheMessageIsClosed() throws Exception {
        WriteRequest sent = request(1_200_000);
        Received<WriteRequest> received = loopback.send(sent.toByteArray());
        loopback.end();

        assertThat(loopback.heldBytes()).isGreaterThanOrEqualTo(1_200_000);
        assertThat(received.message()).isEqualTo(sent);

        received.close();

        assertThat(loopback.heldBytes()).isZero();
    }

    @Test
    void closingTwiceGivesMemoryBackOnce() throws Exception {
        Received<WriteRequest> twice = loopback.send(request(100_000).toByteArray());
        Received<WriteRequest> once = loopback.send(request(100_000).toByteArray());
        twice.close();
        twice.close();
        loopback.end();

        assertThat(once.message()).isEqualTo(request(100_000));
        once.close();
        assertThat(loopback.heldBytes()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 300_000})
    void aMalformedMessageIsAFlawAndHoldsNoMemory(int bufferBytes) throws Exception {
        byte[] bytes = request(bufferBytes).toByteArray();
        byte[] truncated = Arrays.copyOf(bytes, bytes.length - 1);

        Received<WriteRequest> received = loopback.send(truncated);
        loopback.end();

        assertThat(received.flaw()).contains("truncated");
        assertThat(received.message()).isEqualTo(WriteRequest.getDefaultInstance());
        assertThat(received.bytes()).isEqualTo(truncated.length);
        assertThat(loopback.marshaller.inPlace()).isZero();
        assertThat(loopback.heldBytes()).isZero();
    }

    @Test
    void aMalformedMessageSpoilsNoOtherOfItsConnection() throws Exception {
        WriteRequest sent = request(1000);

        try (Received<WriteRequest> malformed = loopback.send(new byte[] {0x0c});
                Received<WriteRequest> next = loopback.send(sent.toByteArray())) {
            assertThat(malformed.flaw()).isNotNull();
            assertThat(next.message()).isEqualTo(sent);
        }
    }

    private static WriteRequest request(int bufferBytes) {
        byte[] buffer = new byte[bufferBytes];
        new Random(bufferBytes).nextBytes(buffer);
        return WriteRequest.newBuilder()
                .setResourceName("account")
                .setPartition("model")
                .setChunk(PromptChunk.newBuilder()
                        .addTokens(1)
                        .addTokens(-1)
                        .setBuffer(ByteString.copyFrom(buffer))
                        .setCrc32C(7))
                .build();
    }
}
