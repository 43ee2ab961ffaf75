package dev.kvstore.client.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.RetryOptions;
import dev.kvstore.client.internal.routing.Health;
import dev.kvstore.client.internal.routing.Route;
import dev.kvstore.protocol.control.v1.Level;
import dev.kvstore.protocol.control.v1.Target;
import dev.kvstore.testing.Patience;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Data planes while routes change under open calls, and operations that wait for a first route. */
class RouteEndpointsTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final FakeProcesses processes = new FakeProcesses(RetryOptions.DEFAULT);
    private final RouteEndpoints endpoints = processes.endpoints();

    private static Route.Target target(String id, String instance, String address) {
        return new Route.Target(id, instance, address, 1);
    }

    private void follow(String version, Route.Target... targets) {
        endpoints.follow(new Route(version, List.of(new Route.Level("west", 1, List.of(targets)))));
    }

    private Endpoint only() {
        assertThat(endpoints.all()).hasSize(1);
        return endpoints.all().get(0);
    }

    @Test
    void aProcessThatStaysKeepsItsConnectionsAndItsHealth() {
        follow("1", target("p", "1", "a:1"));
        Endpoint before = only();
        endpoints.failed(before, processes.time().nanos(), true, "away");

        follow("2", target("p", "1", "a:1"), target("q", "1", "b:1"));

        assertThat(endpoints.all()).contains(before).hasSize(2);
        assertThat(before.health().state(processes.time().nanos())).isEqualTo(Health.State.EJECTED);
        assertThat(processes.counters().routeVersion()).isEqualTo("2");
    }

    @Test
    void aProcessThatWasStartedAgainIsWhole() {
        follow("1", target("p", "1", "a:1"));
        Endpoint before = only();
        endpoints.failed(before, processes.time().nanos(), true, "away");

        follow("2", target("p", "2", "a:1"));

        assertThat(only()).isSameAs(before);
        assertThat(before.health().state(processes.time().nanos())).isEqualTo(Health.State.WHOLE);
    }

    @Test
    void aProcessWithANewAddressGetsNewConnections() {
        follow("1", target("p", "1", "a:1"));
        Endpoint before = only();

        follow("2", target("p", "1", "b:1"));

        assertThat(only()).isNotSameAs(before);
        assertThat(only().address()).isEqualTo("b:1");
        assertThat(endpoints.inUse()).as("nothing is open at the former one").containsExactly(only());
    }

    @Test
    void aProcessThatLeftIsInUseUntilItsLastCallEnds() {
        follow("1", target("p", "1", "a:1"));
        Attempt open = processes.operation(LONG).begin();

        follow("2", target("q", "1", "b:1"));

        assertThat(endpoints.inUse()).contains(open.endpoint()).hasSize(2);
        open.abandoned();
        assertThat(endpoints.inUse()).doesNotContain(open.endpoint()).hasSize(1);
    }

    @Test
    void aNameThatComesTwiceCountsOnceAndAnAddressThatIsNoneNever() {
        follow("1", target("p", "1", "a:1"), target("p", "2", "b:1"), target("q", "1", "nowhere"));

        assertThat(only().address()).isEqualTo("a:1");
    }

    @Test
    void aRouteWithoutProcessesChangesNothing() {
        follow("1", target("p", "1", "a:1"));

        follow("2");
        follow("3", target("q", "1", "nowhere"));

        assertThat(only().address()).isEqualTo("a:1");
        assertThat(processes.counters().routeVersion()).isEqualTo("1");
    }

    @Test
    void aRouteAfterTheEndIsNotFollowed() {
        follow("1", target("p", "1", "a:1"));
        endpoints.close();

        follow("2", target("q", "1", "b:1"));

        assertThat(only().address()).isEqualTo("a:1");
    }

    @Test
    void anAttemptBeyondItsKeysOwnLevelIsAFailover() {
        endpoints.follow(new Route(
                "1",
                List.of(
                        new Route.Level("west", 1, List.of(target("p", "1", "a:1"))),
                        new Route.Level("east", 0, List.of(target("q", "1", "b:1"))))));
        Endpoint home = endpoints.pick(7, Set.of()).process();
        assertThat(processes.counters().failovers()).isZero();
        assertThat(processes.counters().level()).isZero();

        endpoints.failed(home, processes.time().nanos(), true, "away");

        assertThat(endpoints.pick(7, Set.of()).process()).isNotSameAs(home);
        assertThat(processes.counters().failovers()).isEqualTo(1);
        assertThat(processes.counters().level()).isEqualTo(1);
        assertThat(processes.counters().ejections()).isEqualTo(1);
    }

    @Test
    void aKeyWhoseOwnLevelIsNotTheFirstMakesNoFailoverThere() {
        endpoints.follow(new Route(
                "1",
                List.of(
                        new Route.Level("west", 0, List.of(target("p", "1", "a:1"))),
                        new Route.Level("east", 1, List.of(target("q", "1", "b:1"))))));

        endpoints.pick(7, Set.of());

        assertThat(processes.counters().level()).isEqualTo(1);
        assertThat(processes.counters().failovers()).isZero();
    }

    @Test
    void whoWaitsForARouteGoesOnWhenItComes() {
        CompletableFuture<Void> waiting = waiting();

        follow("1", target("p", "1", "a:1"));

        assertThat(waiting).succeedsWithin(Patience.LIMIT);
    }

    @Test
    void whoWaitsForARouteHearsOfARefusalAndOfTheEnd() {
        CompletableFuture<Void> refused = waiting();
        endpoints.refuse(ErrorCode.PERMISSION_DENIED, "not granted");
        assertFailed(refused, "PERMISSION_DENIED: not granted");
        endpoints.waiting("it is asked again");
        CompletableFuture<Void> closed = waiting();

        endpoints.close();

        assertFailed(closed, "CANCELLED: the client is closed");
    }

    @Test
    void aRefusalEndsWithTheNextAttemptOrRoute() {
        endpoints.refuse(ErrorCode.NOT_FOUND, "unknown");
        endpoints.waiting("nobody answers");
        assertThat(catchThrowableOfType(KvStoreException.class, () -> endpoints.await(Duration.ofMillis(1))))
                .hasMessage("DEADLINE_EXCEEDED: there was no route in time: nobody answers");
    }

    @Test
    void aRefusalIsNoMatterOnceThereIsARoute() {
        follow("1", target("p", "1", "a:1"));

        endpoints.refuse(ErrorCode.NOT_FOUND, "unknown");

        endpoints.await(Duration.ofNanos(1));
        assertThat(endpoints.ready()).isTrue();
    }

    @Test
    void aFirstRouteWithoutProcessesIsSaidAtOnce() {
        follow("1");
        assertThatThrownBy(() -> endpoints.await(LONG)).hasMessageContaining("UNAVAILABLE: no process serves");
        follow("2", target("p", "1", "nowhere"));
        assertThatThrownBy(() -> endpoints.await(LONG)).hasMessageContaining("none of the 1 processes of the route");
    }

    private CompletableFuture<Void> waiting() {
        CompletableFuture<Thread> began = new CompletableFuture<>();
        CompletableFuture<Void> waiting = CompletableFuture.runAsync(
                () -> {
                    began.complete(Thread.currentThread());
                    endpoints.await(LONG);
                },
                Thread::startVirtualThread);
        await().until(() -> began.join().getState() == Thread.State.TIMED_WAITING);
        return waiting;
    }

    private static void assertFailed(CompletableFuture<Void> waiting, String message) {
        assertThat(waiting).failsWithin(Patience.LIMIT).withThrowableThat().withMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "100, 100", "1000, 1000", "1001, 1000", "-1, 1000"})
    void aWeightBeyondItsRangeIsTheBound(int sent, int read) {
        Route route = RouteReader.of(dev.kvstore.protocol.control.v1.Route.newBuilder()
                .addLevels(Level.newBuilder()
                        .addTargets(Target.newBuilder()
                                .setCluster("c")
                                .setProcess("p")
                                .setWeight(sent)))
                .build());

        assertThat(route.levels().get(0).targets().get(0).weight()).isEqualTo(read);
        assertThat(route.levels().get(0).targets().get(0).id()).isEqualTo("c/p");
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1000, 1000", "2147483647, 2147483647", "-1, 2147483647"})
    void aShareBeyondAnIntIsTheLargestInt(int sent, int read) {
        Route route = RouteReader.of(dev.kvstore.protocol.control.v1.Route.newBuilder()
                .addLevels(Level.newBuilder().setShare(sent))
                .build());

        assertThat(route.levels().get(0).share()).isEqualTo(read);
    }
}
