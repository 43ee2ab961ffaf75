package dev.kvstore.dataplane.service;

import static dev.kvstore.testing.schedule.RacingThreads.race;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.call.InboundMeter;
import dev.kvstore.protocol.v1.StreamingReadRequest;
import dev.kvstore.protocol.wire.KvStoreMethods;
import dev.kvstore.protocol.wire.Received;
import dev.kvstore.testing.schedule.Schedules;
import io.grpc.Metadata;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Under every schedule the bytes of a message are counted until it is done with, and no longer. */
@Tag("slow")
final class InboundMeterRacesTest {
    private static final byte[] REQUEST = StreamingReadRequest.newBuilder()
            .addLocations(ByteString.EMPTY)
            .build()
            .toByteArray();

    @Test
    void aCallThatEndsAmidAMessageHoldsNothing() {
        Schedules.explore(() -> {
            InboundMeter meter = new InboundMeter(10_000);
            InboundMeter.Gauge call = (InboundMeter.Gauge)
                    meter.newServerStreamTracer("kvstore.v1.KVStoreService/StreamingRead", new Metadata());
            Received<?> message =
                    KvStoreMethods.ServerMethods.STREAMING_READ.parseRequest(new ByteArrayInputStream(REQUEST));

            race(
                    () -> {
                        call.inboundWireSize(message.bytes());
                        call.inboundWireSize(500);
                    },
                    () -> call.streamClosed(Status.CANCELLED),
                    () -> {
                        call.delivered(message);
                        call.done(message);
                    });

            assertThat(meter.heldBytes()).isZero();
        });
    }
}
