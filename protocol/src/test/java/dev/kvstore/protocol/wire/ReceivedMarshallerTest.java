package dev.kvstore.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.kvstore.protocol.v1.ReadRequest;
import io.grpc.StatusRuntimeException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;

/** Messages that come from anywhere but network memory. */
class ReceivedMarshallerTest {
    private static final ReadRequest MESSAGE = ReadRequest.newBuilder()
            .setResourceName("account")
            .setLocation(ByteString.copyFrom(new byte[65]))
            .build();

    private final ReceivedMarshaller<ReadRequest> marshaller =
            new ReceivedMarshaller<>(ReadRequest.getDefaultInstance());

    @Test
    void aPlainStreamIsCopied() {
        try (Received<ReadRequest> received = marshaller.parse(new ByteArrayInputStream(MESSAGE.toByteArray()))) {
            assertThat(received.message()).isEqualTo(MESSAGE);
            assertThat(received.bytes()).isEqualTo(MESSAGE.getSerializedSize());
            assertThat(received.flaw()).isNull();
        }
        assertThat(marshaller.copied()).isEqualTo(1);
        assertThat(marshaller.inPlace()).isZero();
    }

    @Test
    void anEmptyMessageIsAMessage() {
        try (Received<ReadRequest> received = marshaller.parse(InputStream.nullInputStream())) {
            assertThat(received.message()).isEqualTo(ReadRequest.getDefaultInstance());
            assertThat(received.flaw()).isNull();
        }
    }

    @Test
    void aTruncatedMessageIsAFlawAndNoException() {
        byte[] whole = MESSAGE.toByteArray();

        Received<ReadRequest> received = marshaller.parse(new ByteArrayInputStream(whole, 0, whole.length - 1));

        assertThat(received.flaw()).contains("truncated");
        assertThat(received.message()).isEqualTo(ReadRequest.getDefaultInstance());
        assertThat(received.bytes()).isEqualTo(whole.length - 1);
        assertThat(marshaller.copied()).isZero();
    }

    @Test
    void fieldsThatBecomeObjectsAreCountedAndHaveALimit() {
        byte[] empties = new byte[2 * (ReceivedMarshaller.MAX_FIELDS + 1)];
        for (int i = 0; i < empties.length; i += 2) {
            empties[i] = 0x12; // location, of no bytes
        }

        Received<ReadRequest> within =
                marshaller.parse(new ByteArrayInputStream(empties, 0, 2 * ReceivedMarshaller.MAX_FIELDS));
        Received<ReadRequest> beyond = marshaller.parse(new ByteArrayInputStream(empties));

        assertThat(within.fields()).isEqualTo(ReceivedMarshaller.MAX_FIELDS);
        assertThat(within.flaw()).isNull();
        assertThat(beyond.flaw()).contains("more than 131072 fields");
    }

    @Test
    void fieldsThatAreNotKnownAreDropped() {
        byte[] unknown = {0x78, 1}; // field 15, a number

        Received<ReadRequest> received = marshaller.parse(new ByteArrayInputStream(
                MESSAGE.toByteString().concat(ByteString.copyFrom(unknown)).toByteArray()));

        assertThat(received.message()).isEqualTo(MESSAGE);
    }

    @Test
    void bytesThatAreNoMessageAreAFlaw() {
        byte[] notUtf8 = {0x0a, 1, (byte) 0xff};
        byte[] endOfAGroupThatNeverBegan = {0x0c};

        assertThat(marshaller.parse(new ByteArrayInputStream(notUtf8)).flaw()).contains("UTF-8");
        assertThat(marshaller
                        .parse(new ByteArrayInputStream(endOfAGroupThatNeverBegan))
                        .flaw())
                .isNotNull();
    }

    @Test
    void aStreamThatCannotBeReadFailsTheCall() throws IOException {
        InputStream broken = InputStream.nullInputStream();
        broken.close();

        assertThatThrownBy(() -> marshaller.parse(broken))
                .isInstanceOf(StatusRuntimeException.class)
                .hasMessage("INTERNAL: reading a message failed")
                .hasRootCauseMessage("Stream closed");
    }

    @Test
    void whatArrivedIsNotSent() {
        Received<ReadRequest> received = marshaller.parse(InputStream.nullInputStream());

        assertThatThrownBy(() -> marshaller.stream(received)).isInstanceOf(IllegalStateException.class);
    }
}
