package dev.kvstore.dataplane.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.metrics.ServerMetrics;
import dev.kvstore.protocol.v1.KVStoreServiceGrpc;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

final class CallMeterTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final CallMeter meter = new CallMeter(registry);

    @Test
    void eachMethodHasATimerOfItsOwn() {
        call(KVStoreServiceGrpc.getStreamingReadMethod().getFullMethodName()).streamClosed(Status.OK);

        assertThat(timer("streaming_read").count()).isEqualTo(1);
        assertThat(timer("read").count()).isZero();
    }

    @Test
    void aCallThatFailedIsNotTimedAndCountsByItsStatus() {
        call(KVStoreServiceGrpc.getReadMethod().getFullMethodName()).streamClosed(Status.DATA_LOSS);

        assertThat(timer("read").count()).isZero();
        assertThat(registry.get(ServerMetrics.FAILED_CALLS.id())
                        .tags("method", "read", "status", "data_loss")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(meter.open()).isZero();
    }

    @Test
    void theFirstBlockOfAStreamIsTimedOnce() {
        ServerStreamTracer stream =
                call(KVStoreServiceGrpc.getStreamingReadMethod().getFullMethodName());

        stream.outboundMessage(0);
        stream.outboundMessage(1);
        call(KVStoreServiceGrpc.getLookupMethod().getFullMethodName()).outboundMessage(0);

        assertThat(registry.get(ServerMetrics.FIRST_BLOCK.id()).timer().count()).isEqualTo(1);
    }

    @Test
    void callsOfOtherServicesAreNotCounted() {
        ServerStreamTracer health = call("grpc.health.v1.Health/Check");

        assertThat(meter.open()).isZero();
        health.streamClosed(Status.OK);
        assertThat(registry.get(ServerMetrics.CALL_DURATION.id()).timers())
                .extracting(Timer::count)
                .containsOnly(0L);
    }

    private ServerStreamTracer call(String method) {
        return meter.newServerStreamTracer(method, new Metadata());
    }

    private Timer timer(String method) {
        return registry.get(ServerMetrics.CALL_DURATION.id())
                .tag("method", method)
                .timer();
    }
}
