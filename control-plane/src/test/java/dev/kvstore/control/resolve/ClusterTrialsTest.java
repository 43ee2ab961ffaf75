package dev.kvstore.control.resolve;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvstore.clusters.member.Fleets;
import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import dev.kvstore.protocol.control.v1.MembershipServiceGrpc;
import dev.kvstore.protocol.control.v1.Probe;
import dev.kvstore.protocol.control.v1.ProbeStep;
import dev.kvstore.protocol.control.v1.RegisterRequest;
import dev.kvstore.protocol.control.v1.ReportProbeRequest;
import dev.kvstore.protocol.control.v1.WatchRequest;
import dev.kvstore.testing.Patience;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Trials of storage in regions with several clusters, one of which may not be honest. */
@Tag("slow")
@QuarkusTest
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(TestIssuer.class)
class ClusterTrialsTest extends RegisteredAccounts {
    private static final ProbeStep.Name[] FAILED = {ProbeStep.Name.CREDENTIAL};

    @Inject
    @SuppressWarnings("NullAway.Init")
    Fleets fleets;

    private final Queue<ReceivedTrial> received = new ConcurrentLinkedQueue<>();

    /** How watches ended. */
    private final Queue<Status> ended = new ConcurrentLinkedQueue<>();

    /** A trial, and the cluster whose data plane was given it. */
    private record ReceivedTrial(String cluster, String token, Probe probe) {}

    /** Makes a cluster with a data plane that has a lease, and watches of it. */
    private void cluster(String region, String name, String address, int watches) {
        put("/v1/regions/" + region, Map.of());
        put("/v1/clusters/" + name, Map.of("region", region, "state", "active"));
        String token = given().header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                .contentType(ContentType.JSON)
                .body(Map.of())
                .post("/v1/clusters/" + name + "/join-tokens")
                .path("token");
        var _ = MembershipServiceGrpc.newBlockingStub(channel)
                .withInterceptors(bearer(token))
                .register(RegisterRequest.newBuilder()
                        .setCluster(name)
                        .setProcess("p0")
                        .setInstance(UUID.randomUUID().toString())
                        .setAddress(address)
                        .setPeerToken("0123456789abcdef0123456789abcdef")
                        .build());
        for (int i = 0; i < watches; i++) {
            var watch = stub(token).watch(WatchRequest.getDefaultInstance());
            Thread.startVirtualThread(() -> {
                try {
                    watch.forEachRemaining(message -> message.getProbesList()
                            .forEach(probe -> received.add(new ReceivedTrial(name, token, probe))));
                } catch (StatusRuntimeException e) {
                    ended.add(e.getStatus());
                }
            });
        }
        await().atMost(Patience.LIMIT)
                .until(() -> fleets.now().orElseThrow().clusters().stream()
                        .anyMatch(cluster -> cluster.name().equals(name)
                                && !cluster.members().isEmpty()));
    }

    private ReceivedTrial trial(String account) {
        return await().atMost(Patience.LIMIT)
                .until(() -> taken(account), Optional::isPresent)
                .orElseThrow();
    }

    private Optional<ReceivedTrial> taken(String account) {
        Optional<ReceivedTrial> first = received.stream()
                .filter(trial -> trial.probe().getResourceName().equals(account))
                .findFirst();
        first.ifPresent(received::remove);
        return first;
    }

    private void report(ReceivedTrial trial, ProbeStep.Name... steps) {
        ReportProbeRequest.Builder report =
                ReportProbeRequest.newBuilder().setId(trial.probe().getId()).setNode("n");
        for (ProbeStep.Name step : steps) {
            report.addSteps(ProbeStep.newBuilder().setName(step).setOk(true));
        }
        var _ = stub(trial.token()).reportProbe(report.build());
    }

    private static void named(String name, String region, boolean vouched) {
        put(
                        "/v1/accounts/" + name,
                        Map.of(
                                "tenant",
                                "customer",
                                "replicas",
                                List.of(Map.of(
                                        "region",
                                        region,
                                        "endpoint",
                                        "https://" + name + ".blob.core.windows.net",
                                        "container",
                                        "blocks",
                                        "credential",
                                        "managed-identity",
                                        "vouched",
                                        vouched))))
                .then()
                .statusCode(201);
    }

    private static String state(String account) {
        return given().header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                .get("/v1/accounts/" + account)
                .path("replicas[0].state");
    }

    /** The next trial is due at once, whatever became of the last one. */
    private static void due(String account) throws Exception {
        execute("update replica set probe_after = now() - interval '1 min' where resource_name = '" + account + "'");
    }

    @Test
    void aProofCountsOnceTwoClustersHaveFoundIt() throws Exception {
        cluster("trial-2", "trial-2a", "10.9.2.1:1", 1);
        cluster("trial-2", "trial-2b", "10.9.2.2:1", 1);
        named("foreign-proof", "trial-2", false);
        ReceivedTrial first = trial("foreign-proof");

        report(first, ALL);

        assertThat(state("foreign-proof")).isEqualTo("unproven");
        ReceivedTrial second = trial("foreign-proof");
        assertThat(second.cluster()).isNotEqualTo(first.cluster());
        report(second, FAILED);
        assertThat(state("foreign-proof")).isEqualTo("failing");
        // The first cluster is not asked again.
        due("foreign-proof");
        ReceivedTrial third = trial("foreign-proof");
        assertThat(third.cluster()).isEqualTo(second.cluster());
        report(third, ALL);
        assertThat(state("foreign-proof")).isEqualTo("ready");
    }

    @Test
    void twoClustersThatFindTheProofWinOverAThirdThatDoesNot() throws Exception {
        for (String name : List.of("a", "b", "c")) {
            cluster("trial-3", "trial-3" + name, "10.9.3." + (int) name.charAt(0) + ":1", 1);
        }
        named("honest", "trial-3", false);

        while (!state("honest").equals("ready")) {
            ReceivedTrial trial = trial("honest");
            report(trial, trial.cluster().equals("trial-3a") ? FAILED : ALL);
            if (trial.cluster().equals("trial-3a")) {
                due("honest");
            }
        }
    }

    @Test
    void whereThereIsOneClusterItsWordIsEnoughAndNoTrialLeavesItsRegion() throws Exception {
        cluster("trial-1", "trial-1a", "10.9.1.1:1", 1);
        put("/v1/regions/trial-0", Map.of());
        named("elsewhere", "trial-0", false);
        due("elsewhere");
        named("alone", "trial-1", false);

        report(trial("alone"), ALL);

        assertThat(state("alone")).isEqualTo("ready");
        assertThat(taken("elsewhere")).isEmpty();
    }

    @Test
    void aPlacedAccountIsTriedByItsCluster() throws Exception {
        cluster("trial-4", "trial-4a", "10.9.4.1:1", 1);
        cluster("trial-4", "trial-4b", "10.9.4.2:1", 1);
        for (int i = 0; i < 5; i++) {
            named("placed-" + i, "trial-4", true);
            put("/v1/accounts/placed-" + i + "/placements/trial-4", Map.of("cluster", "trial-4b", "pinned", false));
            execute("update replica set tried_by = null, unreported = false where resource_name = 'placed-" + i + "'");
            var _ = received.removeIf(trial -> true);
            due("placed-" + i);
            assertThat(trial("placed-" + i).cluster()).isEqualTo("trial-4b");
        }
    }

    @Test
    void aClusterHasAWatchForEachLeaseAndSomeMore() {
        cluster("trial-6", "trial-6a", "10.9.6.1:1", 70);

        await().atMost(Patience.LIMIT).until(() -> ended.size() >= 5);
        assertThat(ended).extracting(Status::getCode).containsOnly(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(ended.element().getDescription()).contains("the cluster trial-6a has");
    }

    @Test
    void manyWatchesOfOneClusterSwallowNoTrials() throws Exception {
        cluster("trial-5", "trial-5rogue", "10.9.5.1:1", 8);
        cluster("trial-5", "trial-5honest", "10.9.5.2:1", 1);
        for (int i = 0; i < 4; i++) {
            String account = "swallowed-" + i;
            named(account, "trial-5", true);
            if (trial(account).cluster().equals("trial-5rogue")) {
                // It never reports, and the trial runs out.
                due(account);
                assertThat(trial(account).cluster()).isEqualTo("trial-5honest");
            }
        }
    }
}
