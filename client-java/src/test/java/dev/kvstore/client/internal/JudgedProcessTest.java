package dev.kvstore.client.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvstore.client.internal.routing.Health;
import dev.kvstore.client.internal.routing.Route;
import dev.kvstore.client.internal.routing.RoutingRules;
import dev.kvstore.protocol.v1.KVStoreServiceGrpc;
import dev.kvstore.protocol.v1.LookupRequest;
import dev.kvstore.protocol.v1.LookupResponse;
import io.grpc.ClientCall;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The health of processes that calls show, whatever the application does with the calls. */
class JudgedProcessTest {
    private static final Duration LIMIT = Duration.ofSeconds(2);

    private static final class Clock implements Time {
        long now = 1_000;

        @Override
        public long nanos() {
            return now;
        }

        @Override
        public boolean await(CountDownLatch end, Duration most) {
            return end.getCount() == 0;
        }
    }

    private final Clock clock = new Clock();
    private final LiveCounters counters = new LiveCounters();
    private final Map<String, Endpoint> processes = new HashMap<>();
    private final Map<String, List<FakeTransport>> transports = new HashMap<>();
    private final RouteEndpoints endpoints = new RouteEndpoints(this::process, RoutedHosts.any(), clock, counters);
    private String instance = "1";
    private final Watchdog watchdog = new Watchdog(endpoints, LIMIT, clock);

    private Endpoint process(Route.Target target) {
        List<FakeTransport> made = new ArrayList<>();
        transports.put(target.id(), made);
        Endpoint endpoint = new Endpoint(
                target.id(),
                target.address(),
                1,
                () -> {
                    made.add(new FakeTransport());
                    return made.getLast();
                },
                new ApiKeyCredentials("kv_a_b", true));
        processes.put(target.id(), endpoint);
        return endpoint;
    }

    private void route(String... names) {
        endpoints.follow(new Route(
                String.join(",", names),
                List.of(new Route.Level(
                        "west",
                        1,
                        Stream.of(names)
                                .map(name -> new Route.Target(name, instance, name + ":1", 1))
                                .toList()))));
    }

    private Attempt attempt(String name, boolean trial) {
        return new Attempt(endpoints, process(name), trial, Deadline.after(1, TimeUnit.MINUTES), clock);
    }

    private Endpoint process(String name) {
        return Objects.requireNonNull(processes.get(name));
    }

    private FakeTransport.TransportCall<?, ?> begin(Attempt attempt, String name) {
        ClientCall<LookupRequest, LookupResponse> call = attempt.call(KVStoreServiceGrpc.getLookupMethod());
        call.start(new ClientCall.Listener<>() {}, new Metadata());
        return transport(name, 0).calls("Lookup").getLast();
    }

    private FakeTransport transport(String name, int index) {
        return Objects.requireNonNull(transports.get(name)).get(index);
    }

    @Test
    void aTrialWhoseCallFailsMakesRoomForTheNextThoughNobodyReadsIt() {
        route("a", "b");
        Endpoint tried = process("a");
        tried.health().failed(clock.now, clock.now, true);
        clock.now += RoutingRules.EJECTION_BASE.toNanos();
        assertThat(tried.health().beginTrial()).isTrue();
        FakeTransport.TransportCall<?, ?> call = begin(attempt("a", true), "a");

        call.end(Status.UNAVAILABLE);

        assertThat(tried.health().ejections())
                .as("what the failure says of the process")
                .isEqualTo(2);
        assertThat(tried.inFlight()).isZero();
        assertThat(tried.health().beginTrial()).isTrue();
    }

    @Test
    void aCallThatTheApplicationCancelsSaysNothingOfTheProcess() {
        route("a", "b");
        Attempt attempt = attempt("a", false);
        ClientCall<LookupRequest, LookupResponse> call = attempt.call(KVStoreServiceGrpc.getLookupMethod());
        call.start(new ClientCall.Listener<>() {}, new Metadata());

        call.cancel("enough", null);

        assertThat(process("a").health().state(clock.now)).isEqualTo(Health.State.WHOLE);
        assertThat(process("a").inFlight()).isZero();
    }

    @Test
    void aCallWhoseStepThrowsCountsNoMore() {
        route("a", "b");
        Attempt attempt = attempt("a", false);
        ClientCall<LookupRequest, LookupResponse> call = attempt.call(KVStoreServiceGrpc.getLookupMethod());
        call.start(new ClientCall.Listener<>() {}, new Metadata());
        transport("a", 0).calls("Lookup").getLast().failure = new OutOfMemoryError("for once");

        assertThatThrownBy(() -> call.sendMessage(LookupRequest.getDefaultInstance()))
                .isInstanceOf(OutOfMemoryError.class);

        assertThat(process("a").inFlight()).isZero();
        assertThat(transport("a", 0).calls("Lookup").getLast().cancelled).isTrue();
    }

    @Test
    void aProcessThatLeavesTheRouteAndThenFreezesLosesWhatItOwes() {
        route("a", "b");
        FakeTransport.TransportCall<?, ?> owed = begin(attempt("a", false), "a");
        route("b");

        lookFor(LIMIT.multipliedBy(2));

        assertThat(owed.cancelled).isTrue();
        assertThat(transport("a", 0).shutdown).as("once nothing is under way").isTrue();
    }

    @Test
    void aProcessThatLeavesTheRouteAndAnswersForItsHealthIsWaitedFor() {
        route("a", "b");
        FakeTransport.TransportCall<?, ?> owed = begin(attempt("a", false), "a");
        route("b");

        for (int round = 1; round <= 3; round++) {
            lookFor(LIMIT.dividedBy(2).plus(Silence.TICK));
            transport("a", 0).calls("Check").forEach(FakeTransport.TransportCall::headers);
        }

        assertThat(transport("a", 0).calls("Check")).hasSizeGreaterThan(1);
        assertThat(owed.cancelled).isFalse();
        owed.end(Status.OK);
        assertThat(transport("a", 0).shutdown).isTrue();
    }

    @Test
    void aProcessWhoseConnectionIsFullIsAskedForItsHealthOverOneMore() {
        route("a", "b");
        FakeTransport.TransportCall<?, ?> idle = begin(attempt("a", false), "a");

        for (int round = 1; round <= 3; round++) {
            lookFor(LIMIT.multipliedBy(3).dividedBy(4).plus(Silence.TICK));
            // What waits on the full connection hears nothing.
            transport("a", 1).calls("Check").forEach(FakeTransport.TransportCall::headers);
        }

        assertThat(transport("a", 1).calls("Check")).hasSize(3);
        assertThat(transports.get("a")).as("connections").hasSize(2);
        assertThat(idle.cancelled).isFalse();
        assertThat(process("a").health().ejections()).isZero();
        idle.end(Status.OK);
        lookFor(Silence.TICK);
        assertThat(transport("a", 1).shutdown).as("once nothing is owed").isTrue();
    }

    @Test
    void aProcessThatAnswersOverItsConnectionGetsNoOther() {
        route("a", "b");
        begin(attempt("a", false), "a");

        for (int round = 1; round <= 3; round++) {
            lookFor(LIMIT.dividedBy(2).plus(Silence.TICK));
            transport("a", 0).calls("Check").forEach(FakeTransport.TransportCall::headers);
        }

        assertThat(transports.get("a")).as("connections").hasSize(1);
    }

    @Test
    void aProcessOfWhichNoCallWaitsIsNotAskedForItsHealth() {
        route("a", "b");
        Attempt attempt = attempt("a", false);
        FakeTransport.TransportCall<?, ?> idle = begin(attempt, "a");
        attempt.waits(false);

        lookFor(LIMIT.multipliedBy(3));

        assertThat(transport("a", 0).calls("Check")).isEmpty();
        assertThat(idle.cancelled).isFalse();
    }

    @Test
    void theSilenceOfAProcessCountsFromWhenACallBeginsToWait() {
        route("a", "b");
        Attempt attempt = attempt("a", false);
        FakeTransport.TransportCall<?, ?> call = begin(attempt, "a");
        attempt.waits(false);
        lookFor(LIMIT.multipliedBy(3));

        attempt.waits(true);

        lookFor(LIMIT.minus(Silence.TICK));
        assertThat(call.cancelled).isFalse();
        lookFor(Silence.TICK.multipliedBy(2));
        assertThat(call.cancelled).isTrue();
    }

    @Test
    void aCallThatIsOverWaitsForNothingWhateverIsSaidLater() {
        route("a", "b");
        Attempt attempt = attempt("a", false);
        begin(attempt, "a").end(Status.OK);

        attempt.waits(true);

        assertThat(process("a").owes()).isFalse();
    }

    @Test
    void aProcessThatLeavesHurriedOperationsWithoutAWordIsFoundFrozen() {
        route("a", "b");
        long until = clock.now + LIMIT.multipliedBy(2).toNanos();
        while (clock.now < until) {
            FakeTransport.TransportCall<?, ?> hurried = begin(attempt("a", false), "a");
            clock.now += Duration.ofMillis(50).toNanos();
            hurried.end(Status.DEADLINE_EXCEEDED);
            clock.now += Duration.ofMillis(50).toNanos();
            watchdog.look();
        }
        assertThat(process("a").health().state(clock.now)).isNotEqualTo(Health.State.WHOLE);
    }

    @Test
    void whatFailsLateAtAnInstanceThatIsGoneSaysNothingOfTheNext() {
        route("a", "b");
        FakeTransport.TransportCall<?, ?> late = begin(attempt("a", false), "a");
        clock.now += 1000;
        instance = "2";
        route("a", "b");

        late.end(Status.UNAVAILABLE);

        assertThat(process("a").health().state(clock.now)).isEqualTo(Health.State.WHOLE);
    }

    /** Looks every tick for so long. */
    private void lookFor(Duration time) {
        for (long left = time.toNanos(); left > 0; left -= Silence.TICK.toNanos()) {
            clock.now += Silence.TICK.toNanos();
            watchdog.look();
        }
    }
}
