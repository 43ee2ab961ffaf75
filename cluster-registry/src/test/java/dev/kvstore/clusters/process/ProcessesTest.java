package dev.kvstore.clusters.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.oneOf;

import dev.kvstore.clusters.RunningRegistry;
import dev.kvstore.clusters.fleet.Load;
import dev.kvstore.clusters.fleet.Rules;
import dev.kvstore.clusters.lease.Leases;
import dev.kvstore.clusters.lease.ProcessScope;
import dev.kvstore.clusters.member.Beat;
import dev.kvstore.clusters.member.Heartbeats;
import dev.kvstore.clusters.member.RenewedLease;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Data planes that an operator registers, drains and removes, beside what they say of themselves. */
@QuarkusTest
class ProcessesTest extends RunningRegistry {
    private static final String CLUSTER = "proc-a";
    private static final String PROCESSES = "/v1/clusters/" + CLUSTER + "/processes";

    @BeforeEach
    void register() {
        cluster("proc", CLUSTER);
    }

    private static Response process(String name, String address) {
        return put(PROCESSES + "/" + name, Map.of("address", address));
    }

    private static Response process(String name, String address, Map<String, ?> more) {
        Map<String, Object> spec = new HashMap<>(Map.of("address", address));
        spec.putAll(more);
        return put(PROCESSES + "/" + name, spec);
    }

    private RenewedLease beat(UUID lease, Load load, boolean draining) throws SQLException {
        return Objects.requireNonNull(new Heartbeats(database().source(), clock)
                .keep(List.of(new Beat(lease, ProcessScope.ALL, load, null, draining)))
                .get(lease));
    }

    @Test
    void aProcessThatAnOperatorRegistersIsAbsentUntilItJoins() throws Exception {
        process("joining", "10.1.0.1:8085", Map.of("numaNode", 1))
                .then()
                .statusCode(201)
                .body("cluster", equalTo(CLUSTER))
                .body("name", equalTo("joining"))
                .body("address", equalTo("10.1.0.1:8085"))
                .body("numaNode", equalTo(1))
                .body("declared", equalTo(true))
                .body("draining", equalTo(false))
                .body("state", equalTo("absent"))
                .body("member", nullValue());

        var _ = join(CLUSTER, "joining", "10.1.0.1:8085");

        admin().get(PROCESSES + "/joining")
                .then()
                .body("state", equalTo("serving"))
                .body("declared", equalTo(true))
                .body("member.program", equalTo("1.2.3"))
                .body("member.remoteAddress", equalTo("remote.10.1.0.1:8085"))
                .body("member.capacity.bytesPerSecond", equalTo(1_000))
                .body("member.capacity.cpus", equalTo(4))
                .body(
                        "member.leaseEndsAt",
                        equalTo(clock.instant().plus(Rules.LEASE).toString()));
    }

    @Test
    void aProcessThatJoinsByItselfIsShownAndNotDeclared() throws Exception {
        var _ = join(CLUSTER, "by-itself", "10.1.0.2:8085");

        admin().get(PROCESSES + "/by-itself")
                .then()
                .statusCode(200)
                .body("declared", equalTo(false))
                .body("state", equalTo("serving"));
    }

    @Test
    void aProcessLapsesWithItsLeaseAndServesAgainWithItsNextHeartbeat() throws Exception {
        UUID lease = join(CLUSTER, "lapsing", "10.1.0.3:8085");
        clock.move(Rules.LEASE.minusNanos(1_000));
        admin().get(PROCESSES + "/lapsing").then().body("state", equalTo("serving"));

        clock.move(Duration.ofNanos(1_000));
        admin().get(PROCESSES + "/lapsing").then().body("state", equalTo("lapsed"));

        var _ = beat(lease, Load.NONE, false);
        admin().get(PROCESSES + "/lapsing").then().body("state", equalTo("serving"));
    }

    @Test
    void theLoadOfTheLastHeartbeatIsShownInMilliseconds() throws Exception {
        UUID lease = join(CLUSTER, "loaded", "10.1.0.4:8085");

        var _ = beat(
                lease,
                new Load(500, 4, 3, 0.5, 0.25, 0.75, 1, Duration.ofMillis(7), Duration.ofNanos(90_500_000), 0.125),
                false);

        admin().get(PROCESSES + "/loaded")
                .then()
                .body("member.load.bytesPerSecond", equalTo(500))
                .body("member.load.streams", equalTo(3))
                .body("member.load.memory", equalTo(0.25f))
                .body("member.load.latencyP50Millis", equalTo(7.0f))
                .body("member.load.latencyP99Millis", equalTo(90.5f))
                .body("member.load.rejectedPerSecond", equalTo(0.125f));
    }

    @Test
    void aProcessDrainsByAnOperatorsWordOrItsOwn() throws Exception {
        UUID own = join(CLUSTER, "drains-itself", "10.1.0.5:8085");
        UUID told = join(CLUSTER, "is-drained", "10.1.0.6:8085");

        var _ = beat(own, Load.NONE, true);
        process("is-drained", "10.1.0.6:8085", Map.of("draining", true)).then().statusCode(200);

        admin().get(PROCESSES + "/drains-itself")
                .then()
                .body("state", equalTo("draining"))
                .body("draining", equalTo(false))
                .body("member.draining", equalTo(true));
        admin().get(PROCESSES + "/is-drained")
                .then()
                .body("state", equalTo("draining"))
                .body("draining", equalTo(true));
        assertThat(beat(told, Load.NONE, false).drain()).isTrue();
        process("is-drained", "10.1.0.6:8085", Map.of("draining", false)).then().body("state", equalTo("serving"));
        assertThat(beat(told, Load.NONE, false).drain()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"draining", "offline"})
    void allProcessesOfAClusterThatDrainsAreToldToDrain(String state) throws Exception {
        cluster("proc", "proc-" + state);
        UUID lease = join("proc-" + state, "p0", "10.2.0." + state.length() + ":8085");
        assertThat(beat(lease, Load.NONE, false).drain()).isFalse();

        put("/v1/clusters/proc-" + state, Map.of("region", "proc", "state", state));

        assertThat(beat(lease, Load.NONE, false).drain()).isTrue();
    }

    @Test
    void anAddressBelongsToOneProcess() {
        process("first-there", "10.1.0.7:8085").then().statusCode(201);

        process("late-there", "10.1.0.7:8085")
                .then()
                .statusCode(409)
                .body("detail", equalTo("address: proc-a/first-there is there already"));
        admin().get(PROCESSES + "/late-there").then().statusCode(404);
        process("first-there", "10.1.0.7:8085").then().statusCode(200);
    }

    @Test
    void aProcessThatHoldsALeaseSaysItsAddressItself() throws Exception {
        var _ = join(CLUSTER, "says-itself", "10.1.0.8:8085");

        process("says-itself", "10.1.0.9:8085")
                .then()
                .statusCode(409)
                .body("detail", equalTo("address: the process holds a lease, and registered itself at 10.1.0.8:8085"));

        clock.move(Rules.LEASE);
        process("says-itself", "10.1.0.9:8085")
                .then()
                .statusCode(200)
                .body("address", equalTo("10.1.0.9:8085"))
                .body("declared", equalTo(false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.1.0.1", "10.1.0.1:0", "a_b:1", ":8085", "https://a:1"})
    void anAddressThatIsNoneIsRefused(String address) {
        process("misled", address)
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo("address"))
                .body("errors[0].detail", equalTo("must be host:port, the host's name without _"));
    }

    @ParameterizedTest
    @CsvSource({"0, true", "1023, true", "1024, false", "-1, false"})
    void aNumaNodeHasBounds(int node, boolean within) {
        process("bounded", "10.1.0.10:8085", Map.of("numaNode", node))
                .then()
                .statusCode(within ? oneOf(200, 201) : equalTo(400));
    }

    @Test
    void anAddressThatTheClusterDoesNotTakeIsRefusedUnlessItIsThereAlready() {
        put("/v1/clusters/proc-strict", Map.of("region", "proc", "addresses", List.of("10.5.0.0/16:8085")));
        put("/v1/clusters/proc-strict/processes/p0", Map.of("address", "10.6.0.1:8085"))
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo("address"))
                .body("errors[0].detail", equalTo("must match a pattern of the cluster: 10.5.0.0/16:8085"));
        put("/v1/clusters/proc-strict/processes/p0", Map.of("address", "10.5.0.1:8085"))
                .then()
                .statusCode(201);
        put("/v1/clusters/proc-strict", Map.of("region", "proc", "addresses", List.of("10.7.0.0/16")));

        put("/v1/clusters/proc-strict/processes/p0", Map.of("address", "10.5.0.1:8085", "draining", true))
                .then()
                .statusCode(200)
                .body("draining", equalTo(true));
    }

    @ParameterizedTest
    @CsvSource({
        "platform-admin, 201, 200, 204",
        "operator, 201, 200, 204",
        "operator@acme, 403, 403, 403",
        "tenant-admin@acme, 403, 403, 403",
        "viewer@*, 403, 403, 403"
    })
    void onlyOperatorsOfThePlatformChangeProcesses(String caller, int made, int refreshed, int deleted) {
        String name = "by-" + caller.replaceAll("[^a-z]", "-") + "x";
        String address = name + ".example.net:1";
        as(caller)
                .body(Map.of("address", address))
                .put(PROCESSES + "/" + name)
                .then()
                .statusCode(made);
        process(name, address);

        as(caller).post(PROCESSES + "/" + name + "/refresh").then().statusCode(refreshed);
        as(caller).delete(PROCESSES + "/" + name).then().statusCode(deleted);
    }

    @ParameterizedTest
    @CsvSource({"viewer@*, 200", "operator, 200", "viewer@acme, 403", "tenant-admin@acme, 403"})
    void onlyCallersOfThePlatformSeeProcesses(String caller, int status) {
        process("seen", "10.1.0.11:8085");

        as(caller).get(PROCESSES).then().statusCode(status);
        as(caller).get(PROCESSES + "/seen").then().statusCode(status);
    }

    @Test
    void aClusterOrProcessThatDoesNotExistIsNamed() {
        admin().get("/v1/clusters/proc-never/processes")
                .then()
                .statusCode(404)
                .body("detail", equalTo("there is no cluster proc-never"));
        put("/v1/clusters/proc-never/processes/p0", Map.of("address", "10.1.0.12:8085"))
                .then()
                .statusCode(404)
                .body("detail", equalTo("there is no cluster proc-never"));
        for (Response answer : List.of(
                admin().get(PROCESSES + "/never"),
                admin().delete(PROCESSES + "/never"),
                admin().post(PROCESSES + "/never/refresh"))) {
            answer.then().statusCode(404).body("detail", equalTo("there is no process never"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-p", ".p", "a b", "p123456789012345678901234567890123456789012345678901234567890123"})
    void aNameThatIsNoneIsRefused(String name) {
        admin().body(Map.of("address", "10.1.0.13:8085"))
                .put(PROCESSES + "/{name}", name)
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo("process"))
                .body("errors[0].detail", containsString("must be 1 to 63 letters"));
    }

    @Test
    void listsComeInPagesByName() throws Exception {
        cluster("proc", "proc-pages");
        for (String name : List.of("p2", "P1", "p0.x")) {
            put("/v1/clusters/proc-pages/processes/" + name, Map.of("address", name + ".example.net:1"));
        }
        var _ = join("proc-pages", "p3", "p3.example.net:1");

        assertThat(listed("/v1/clusters/proc-pages/processes", "name"))
                .containsExactlyInAnyOrder("P1", "p0.x", "p2", "p3");
        assertThat(listed("/v1/clusters/proc-pages/processes", "state"))
                .containsExactlyInAnyOrder("absent", "absent", "absent", "serving");
    }

    @Test
    void aRefreshIsToldWithTheNextHeartbeatAndOnce() throws Exception {
        UUID lease = join(CLUSTER, "refreshed", "10.1.0.14:8085");
        String tag = admin().get(PROCESSES + "/refreshed").header("ETag");

        admin().post(PROCESSES + "/refreshed/refresh").then().statusCode(200).body("name", equalTo("refreshed"));

        assertThat(beat(lease, Load.NONE, false).refresh()).isTrue();
        assertThat(beat(lease, Load.NONE, false).refresh()).isFalse();
        assertThat(admin().get(PROCESSES + "/refreshed").header("ETag")).isNotEqualTo(tag);
        audit("process", CLUSTER + "/refreshed")
                .then()
                .body("items[0].action", equalTo("update"))
                .body("items[0].after.refreshes", equalTo(1))
                .body("items[0].after.refreshAt", notNullValue());
    }

    @Test
    void theLogHasWhatOperatorsSetAndNotWhatTheProcessSays() throws Exception {
        process("logged", "10.1.0.15:8085");
        UUID lease = join(CLUSTER, "logged", "10.1.0.15:8085");
        var _ = beat(lease, Load.NONE, true);
        process("logged", "10.1.0.15:8085", Map.of("draining", true));
        admin().delete(PROCESSES + "/logged").then().statusCode(204);

        audit("process", CLUSTER + "/logged")
                .then()
                .body("items.action", equalTo(List.of("delete", "update", "create")))
                .body("items[1].after.draining", equalTo(true))
                .body("items[1].after.member", nullValue())
                .body("items[2].after.declared", equalTo(true));
    }

    @Test
    void withAProcessItsLeaseGoes() throws Exception {
        UUID lease = join(CLUSTER, "removed", "10.1.0.16:8085");

        admin().delete(PROCESSES + "/removed").then().statusCode(204);

        assertThat(new Heartbeats(database().source(), clock)
                        .keep(List.of(new Beat(lease, ProcessScope.ALL, Load.NONE, null, false))))
                .isEmpty();
        assertThat(new Leases(database().source(), clock).leave(lease, ProcessScope.ALL))
                .isEmpty();
    }

    @Test
    void aPreconditionThatDoesNotHoldChangesNothing() {
        String tag = process("raced", "10.1.0.17:8085").header("ETag");
        process("raced", "10.1.0.17:8085", Map.of("draining", true));

        for (String header : List.of("If-Match", "If-None-Match")) {
            admin().header(header, header.equals("If-Match") ? tag : "*")
                    .body(Map.of("address", "10.1.0.17:8085"))
                    .put(PROCESSES + "/raced")
                    .then()
                    .statusCode(412);
        }
        admin().header("If-Match", tag).delete(PROCESSES + "/raced").then().statusCode(412);
        admin().get(PROCESSES + "/raced").then().body("draining", equalTo(true));
    }

    @Test
    void aHeartbeatLeavesTheVersionAsItIs() throws Exception {
        UUID lease = join(CLUSTER, "beating", "10.1.0.18:8085");
        String tag = admin().get(PROCESSES + "/beating").header("ETag");

        var _ = beat(lease, new Load(1, 1, 1, 1, 1, 1, 1, null, null, 1), true);

        assertThat(admin().get(PROCESSES + "/beating").header("ETag")).isEqualTo(tag);
    }

    @Test
    void aPatchDrainsAProcessAndKeepsItsAddress() {
        process("patched", "10.1.0.19:8085", Map.of("numaNode", 2));

        admin().contentType("application/merge-patch+json")
                .body(Map.of("draining", true))
                .patch(PROCESSES + "/patched")
                .then()
                .statusCode(200)
                .body("draining", equalTo(true))
                .body("numaNode", equalTo(2))
                .body("address", equalTo("10.1.0.19:8085"));
    }

    @Test
    void ofConcurrentRegistrationsAtOneAddressOneIsMade() throws Exception {
        assertThat(statuses(IntStream.range(0, 6)
                        .<Callable<Response>>mapToObj(i -> () -> process("contested-" + i, "10.1.0.20:8085"))
                        .toList()))
                .containsOnly(201, 409)
                .containsOnlyOnce(201);
    }
}
