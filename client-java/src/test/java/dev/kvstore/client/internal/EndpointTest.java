package dev.kvstore.client.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvstore.protocol.v1.LookupRequest;
import dev.kvstore.protocol.v1.LookupResponse;
import dev.kvstore.protocol.wire.KvStoreMethods.ClientMethods;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Deadline;
import io.grpc.ManagedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** The connections of one data plane, and the calls that count there. */
class EndpointTest {
    private final List<FakeTransport> transports = new ArrayList<>();
    private int failing = -1;
    private final Endpoint endpoint = new Endpoint("p", "p:1", 3, this::connect, new ApiKeyCredentials("kv_a_b", true));
    private final RouteEndpoints endpoints =
            new RouteEndpoints(target -> endpoint, RoutedHosts.any(), Time.SYSTEM, new LiveCounters());

    private ManagedChannel connect() {
        if (transports.size() == failing) {
            throw new OutOfMemoryError("as the test wants it");
        }
        transports.add(new FakeTransport());
        return transports.get(transports.size() - 1);
    }

    private ClientCall<LookupRequest, LookupResponse> call() {
        return endpoint.call(ClientMethods.LOOKUP, CallOptions.DEFAULT);
    }

    private Attempt attempt() {
        return new Attempt(endpoints, endpoint, false, Deadline.after(1, TimeUnit.MINUTES), Time.SYSTEM);
    }

    @Test
    void connectionsAreMadeWithTheFirstCallAndUsedInTurn() {
        assertThat(transports).isEmpty();

        for (int i = 0; i < 7; i++) {
            call();
        }

        assertThat(transports).hasSize(3);
        assertThat(transports).extracting(transport -> transport.calls.size()).containsExactly(3, 2, 2);
    }

    @Test
    void ifOneConnectionCannotBeMadeTheOthersAreClosedAndTheNextCallTriesAgain() {
        failing = 2;
        assertThatThrownBy(this::call).isInstanceOf(OutOfMemoryError.class);
        assertThat(transports)
                .hasSize(2)
                .allSatisfy(transport -> assertThat(transport.shutdown).isTrue());
        failing = -1;

        call();

        assertThat(transports).hasSize(5);
        assertThat(transports.get(2).shutdown).isFalse();
    }

    @Test
    void aProcessWithoutCallsIsClosedWhenItLeavesTheRoute() {
        call();

        endpoint.retire();

        assertThat(transports)
                .allSatisfy(transport -> assertThat(transport.shutdown).isTrue());
        assertThat(endpoint.closed()).isTrue();
    }

    @Test
    void aProcessWithCallsIsClosedWithTheLastOfThem() {
        call();
        Attempt first = attempt();
        Attempt second = attempt();
        endpoint.retire();
        first.abandoned();
        assertThat(transports.get(0).shutdown).isFalse();

        second.abandoned();

        assertThat(transports)
                .allSatisfy(transport -> assertThat(transport.shutdown).isTrue());
    }

    @Test
    void connectionsThatAreMadeAfterTheEndAreClosedAtOnce() {
        endpoint.shutdownNow();

        call();

        assertThat(transports)
                .hasSize(3)
                .allSatisfy(transport -> assertThat(transport.shutdown).isTrue());
        assertThat(endpoint.aside()).isNull();
    }

    @Test
    void theConnectionAsideIsMadeOnceAndClosedWhenItIsLeft() {
        ManagedChannel aside = Objects.requireNonNull(endpoint.aside());
        assertThat(endpoint.aside()).isSameAs(aside);

        endpoint.leaveAside();
        endpoint.leaveAside();

        assertThat(aside.isShutdown()).isTrue();
        assertThat(endpoint.aside()).isNotSameAs(aside);
    }

    @Test
    void anAttemptThatEndsInManyWaysCountsOnce() {
        Attempt attempt = attempt();
        assertThat(endpoint.inFlight()).isEqualTo(1);

        attempt.succeeded();
        attempt.abandoned();
        attempt.succeeded();

        assertThat(endpoint.inFlight()).isZero();
        assertThat(endpoint.owes()).isFalse();
    }

    @Test
    void silenceCountsFromTheFirstCallThatWaitsAndNotFromTheNext() {
        endpoint.begunToWait(100);
        endpoint.begunToWait(200);
        assertThat(endpoint.heard()).isEqualTo(100);
        endpoint.endedToWait();
        endpoint.endedToWait();
        assertThat(endpoint.owes()).isFalse();

        endpoint.begunToWait(300);

        assertThat(endpoint.heard()).isEqualTo(300);
    }

    @Test
    void aProcessThatLeftAnOperationUnansweredOwesUntilItIsHeard() {
        endpoint.heard(100);
        endpoint.unanswered();
        endpoint.begunToWait(500);
        assertThat(endpoint.heard()).as("its silence goes on").isEqualTo(100);
        endpoint.endedToWait();
        assertThat(endpoint.owes()).isTrue();

        endpoint.heard(600);

        assertThat(endpoint.owes()).isFalse();
    }

    /** Attempts that begin, wait or not, and end more than once. */
    @Property(tries = 300)
    void openCallsAndThoseThatWaitAreCountedWhateverAttemptsDo(
            @ForAll @Size(max = 30) List<@IntRange(max = 4) Integer> steps) {
        Endpoint counted = new Endpoint("q", "q:1", 1, FakeTransport::new, new ApiKeyCredentials("kv_a_b", true));
        List<Attempt> open = new ArrayList<>();
        for (int step : steps) {
            if (step == 0 || open.isEmpty()) {
                open.add(new Attempt(endpoints, counted, false, Deadline.after(1, TimeUnit.MINUTES), Time.SYSTEM));
                continue;
            }
            Attempt last = open.get(open.size() - 1);
            switch (step) {
                case 1 -> last.waits(false);
                case 2 -> last.waits(true);
                default -> {
                    open.remove(last);
                    last.abandoned();
                    last.waits(true);
                    last.succeeded();
                }
            }
            assertThat(counted.inFlight()).isEqualTo(open.size());
        }
        open.forEach(Attempt::abandoned);
        assertThat(counted.inFlight()).isZero();
        assertThat(counted.owes()).isFalse();
    }
}
