package dev.kvstore.dataplane.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.kvstore.protocol.v1.StreamingReadRequest;
import dev.kvstore.protocol.wire.KvStoreMethods;
import dev.kvstore.protocol.wire.Received;
import io.grpc.Metadata;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class InboundMeterTest {
    private final InboundMeter meter = new InboundMeter(10_000);
    private final InboundMeter.Gauge call = gauge();

    @Test
    void aMessageCountsFromItsFirstByteUntilItIsDoneWith() {
        Received<?> message = message(3);

        call.inboundWireSize(message.bytes());
        assertThat(meter.heldBytes()).isEqualTo(message.bytes());
        call.delivered(message);
        assertThat(meter.heldBytes()).isGreaterThan(message.bytes());
        call.done(message);

        assertThat(meter.heldBytes()).isZero();
    }

    @Test
    void aMessageThatIsDeliveredAfterTheCallWasClosedCountsOnce() {
        Received<?> message = message(3);

        call.inboundWireSize(message.bytes());
        call.streamClosed(Status.CANCELLED);
        assertThat(meter.heldBytes()).isZero();
        call.delivered(message);
        assertThat(meter.heldBytes()).isGreaterThanOrEqualTo(message.bytes());
        call.done(message);

        assertThat(meter.heldBytes()).isZero();
    }

    @Test
    void halfAMessageIsGivenBackWhenTheCallIsClosed() {
        call.inboundWireSize(500);
        assertThat(call.arrivingNanos()).isPositive();

        call.streamClosed(Status.CANCELLED);
        call.inboundWireSize(500);

        assertThat(meter.heldBytes()).isZero();
    }

    @Test
    void manySmallFieldsCountForTheHeapTheyTake() {
        AtomicBoolean over = new AtomicBoolean();
        call.whenOver(_ -> over.set(true));
        Received<?> message = message(1_000); // 2 bytes each

        call.inboundWireSize(message.bytes());
        assertThat(over).isFalse();
        call.delivered(message);

        assertThat(over).isTrue();
        call.done(message);
        assertThat(meter.heldBytes()).isZero();
    }

    private InboundMeter.Gauge gauge() {
        return (InboundMeter.Gauge) meter.newServerStreamTracer("kvstore.v1.KVStoreService/Write", new Metadata());
    }

    private static Received<?> message(int locations) {
        StreamingReadRequest.Builder request = StreamingReadRequest.newBuilder();
        for (int i = 0; i < locations; i++) {
            request.addLocations(ByteString.EMPTY);
        }
        return KvStoreMethods.Server.STREAMING_READ.parseRequest(
                new ByteArrayInputStream(request.build().toByteArray()));
    }
}
