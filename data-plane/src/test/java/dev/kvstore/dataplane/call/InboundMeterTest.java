package dev.kvstore.dataplane.call;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.account.Party;
import dev.kvstore.listener.HeldBytes;
import dev.kvstore.protocol.v1.StreamingReadRequest;
import dev.kvstore.protocol.wire.KvStoreMethods;
import dev.kvstore.protocol.wire.Received;
import io.grpc.Metadata;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
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

    @Test
    void oneTenantTakesHalfAndOneConnectionAQuarter() {
        long most = 8L * KvStoreMethods.MAX_MESSAGE_BYTES;
        InboundMeter large = new InboundMeter(most);
        Party tenant = Party.tenant("a");
        HeldBytes connection = new HeldBytes();
        List<CallAdmission.AdmissionRefusal> over = new ArrayList<>();
        List<InboundMeter.Gauge> calls = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            InboundMeter.Gauge next = gauge(large);
            next.belongsTo(tenant, i == 0 ? connection : new HeldBytes());
            next.whenOver(over::add);
            calls.add(next);
        }

        calls.getFirst().inboundWireSize(most / 4);
        assertThat(over).isEmpty();
        calls.getFirst().inboundWireSize(1);
        assertThat(over).containsExactly(CallAdmission.AdmissionRefusal.INBOUND_SHARE);
        calls.get(1).inboundWireSize(most / 4 - 1);
        assertThat(over).hasSize(1);
        calls.get(2).inboundWireSize(1);
        assertThat(over).hasSize(2);
        InboundMeter.Gauge others = gauge(large);
        others.belongsTo(Party.tenant("b"), new HeldBytes());
        others.whenOver(over::add);
        others.inboundWireSize(most / 8);
        assertThat(over).hasSize(2);

        calls.forEach(call -> call.streamClosed(Status.CANCELLED));
        others.streamClosed(Status.CANCELLED);
        assertThat(large.heldBytes()).isZero();
        assertThat(connection.bytes()).isZero();
    }

    @Test
    void someIsLeftForWhoeverComesHoweverManyTenantsTakeAllTheyCan() {
        long most = 100L * KvStoreMethods.MAX_MESSAGE_BYTES;
        InboundMeter large = new InboundMeter(most);
        List<InboundMeter.Gauge> calls = new ArrayList<>();
        for (int tenant = 0; tenant < 4; tenant++) {
            AtomicBoolean over = new AtomicBoolean();
            while (!over.get()) {
                InboundMeter.Gauge next = gauge(large);
                next.belongsTo(Party.tenant("greedy " + tenant), new HeldBytes());
                next.whenOver(_ -> over.set(true));
                next.inboundWireSize(1 << 20);
                calls.add(next);
            }
        }

        assertThat(most - large.heldBytes()).isGreaterThan(most / 32);
        calls.forEach(call -> call.streamClosed(Status.CANCELLED));
    }

    private InboundMeter.Gauge gauge() {
        return gauge(meter);
    }

    private static InboundMeter.Gauge gauge(InboundMeter meter) {
        return (InboundMeter.Gauge) meter.newServerStreamTracer("kvstore.v1.KVStoreService/Write", new Metadata());
    }

    private static Received<?> message(int locations) {
        StreamingReadRequest.Builder request = StreamingReadRequest.newBuilder();
        for (int i = 0; i < locations; i++) {
            request.addLocations(ByteString.EMPTY);
        }
        return KvStoreMethods.ServerMethods.STREAMING_READ.parseRequest(
                new ByteArrayInputStream(request.build().toByteArray()));
    }
}
