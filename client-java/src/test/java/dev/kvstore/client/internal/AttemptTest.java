package dev.kvstore.client.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvstore.protocol.v1.KVStoreServiceGrpc;
import dev.kvstore.protocol.v1.LookupRequest;
import dev.kvstore.protocol.v1.LookupResponse;
import io.grpc.ClientCall;
import io.grpc.Deadline;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An {@link Attempt} at a process that turns out to be frozen while the call is being sent. */
class AttemptTest {
    private final ManagedChannel channel =
            ManagedChannelBuilder.forTarget("127.0.0.1:1").usePlaintext().build();
    private final Endpoint endpoint =
            new Endpoint("frozen", "frozen:8085", 1, () -> channel, new ApiKeyCredentials("kv_a_b", true));
    private final RouteEndpoints endpoints =
            new RouteEndpoints(_ -> endpoint, RoutedHosts.any(), Time.SYSTEM, new LiveCounters());
    private final Attempt attempt =
            new Attempt(endpoints, endpoint, false, Deadline.after(1, TimeUnit.MINUTES), Time.SYSTEM);
    private final AttemptEnds ends = new AttemptEnds();

    private static final class AttemptEnds extends ClientCall.Listener<LookupResponse> {
        private final List<Status> statuses = new ArrayList<>();

        @Override
        public void onClose(Status status, Metadata trailers) {
            statuses.add(status);
        }
    }

    /** Until then a channel keeps calls back, and these take anything. */
    @BeforeEach
    void resolveTheName() {
        assertThatThrownBy(() -> KVStoreServiceGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(1, TimeUnit.MINUTES)
                        .lookup(LookupRequest.getDefaultInstance()))
                .isInstanceOf(StatusRuntimeException.class);
    }

    @AfterEach
    void close() {
        channel.shutdownNow();
    }

    @Test
    void aCallGivenUpBeforeItBeginsEndsForItsListener() {
        ClientCall<LookupRequest, LookupResponse> call = attempt.call(KVStoreServiceGrpc.getLookupMethod());
        attempt.stall();

        call.start(ends, new Metadata());

        assertThat(ends.statuses).singleElement().extracting(Status::getCode).isEqualTo(Status.Code.CANCELLED);
    }

    @Test
    void aCallGivenUpWhileItIsBeingSentTakesNoMoreAndSaysNothing() {
        ClientCall<LookupRequest, LookupResponse> call = attempt.call(KVStoreServiceGrpc.getLookupMethod());
        call.start(ends, new Metadata());
        attempt.stall();

        assertThatCode(() -> {
                    call.request(1);
                    call.sendMessage(LookupRequest.getDefaultInstance());
                    call.halfClose();
                })
                .doesNotThrowAnyException();
    }

    @Test
    void aMistakeOfTheCallerIsStillOne() {
        ClientCall<LookupRequest, LookupResponse> call = attempt.call(KVStoreServiceGrpc.getLookupMethod());
        call.start(ends, new Metadata());
        call.cancel("by the caller itself", null);

        assertThatThrownBy(() -> call.sendMessage(LookupRequest.getDefaultInstance()))
                .isInstanceOf(IllegalStateException.class);
    }
}
