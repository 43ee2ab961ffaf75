package dev.kvstore.control.purge;

import static io.restassured.RestAssured.given;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;

import dev.kvstore.clusters.member.Fleets;
import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import dev.kvstore.control.membership.Vacancies;
import dev.kvstore.control.warming.TwoRegions;
import dev.kvstore.protocol.control.v1.ClaimDeletionRequest;
import dev.kvstore.protocol.control.v1.Deletion;
import dev.kvstore.protocol.control.v1.FollowRequest;
import dev.kvstore.protocol.control.v1.FollowResponse;
import dev.kvstore.protocol.control.v1.Purge;
import dev.kvstore.protocol.control.v1.PurgeServiceGrpc;
import dev.kvstore.protocol.control.v1.ReportDeletedRequest;
import dev.kvstore.protocol.purge.StorageDigest;
import dev.kvstore.protocol.wire.WireNames;
import dev.kvstore.testing.Patience;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** From the wish of an admin to the last data plane that has forgotten. */
@Tag("slow")
@QuarkusTest
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(TestIssuer.class)
class PurgesTest extends TwoRegions {
    @Inject
    @SuppressWarnings("NullAway.Init")
    PurgeKeeper keeper;

    @Inject
    @SuppressWarnings("NullAway.Init")
    Fleets fleets;

    @Inject
    @SuppressWarnings("NullAway.Init")
    Vacancies vacancies;

    private PurgeServiceGrpc.PurgeServiceBlockingStub purges;

    @BeforeEach
    void connect() throws Exception {
        purges = PurgeServiceGrpc.newBlockingStub(channel)
                .withInterceptors(token())
                .withDeadlineAfter(120, TimeUnit.SECONDS);
        // Processes of other tests have left, and would be waited for.
        sql(
                "update heartbeat set ends_at = now() - interval '10 s' where lease::text <> ? and lease::text <> ?",
                home,
                away);
    }

    @AfterEach
    void end() throws Exception {
        sql("update purge set state = 'CANCELLED', ended_at = now() where ended_at is null");
        sql("delete from purge");
    }

    private static ValidatableResponse wish(Map<String, ?> spec) {
        return wish(TestDatabase.ADMIN_TOKEN, spec);
    }

    private static ValidatableResponse wish(String token, Map<String, ?> spec) {
        return given().header("Authorization", "Bearer " + token)
                .contentType(ContentType.JSON)
                .body(spec)
                .post("/v1/purges")
                .then();
    }

    private static String begun(Map<String, ?> spec) {
        return wish(spec).statusCode(201).extract().path("id");
    }

    private static ValidatableResponse purge(String id) {
        return given().header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                .get("/v1/purges/" + id)
                .then()
                .statusCode(200);
    }

    private static void awaitState(String id, String state) {
        await().atMost(Patience.LIMIT).untilAsserted(() -> purge(id).body("state", equalTo(state)));
    }

    private FollowResponse follow(String lease, long since) {
        return purges.follow(
                FollowRequest.newBuilder().setLease(lease).setSince(since).build());
    }

    /** Both data planes confirm that they know of a purge. */
    private void bothHear(String id) {
        for (String lease : List.of(home, away)) {
            var _ = follow(lease, heard(lease, id, Purge.State.RUNNING).getVersion());
        }
    }

    /** The purge as a process hears of it, once it does. */
    private Purge heard(String lease, String id, Purge.State state) {
        return await().atMost(Patience.LIMIT)
                .until(
                        () -> follow(lease, 0).getPurgesList().stream()
                                .filter(purge -> purge.getId().equals(id) && purge.getState() == state)
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    private Optional<Deletion> claim(String lease) {
        var answer = purges.claimDeletion(
                ClaimDeletionRequest.newBuilder().setLease(lease).build());
        return answer.hasDeletion() ? Optional.of(answer.getDeletion()) : Optional.empty();
    }

    private Deletion claimed(String lease) {
        return await().atMost(Patience.LIMIT)
                .until(() -> claim(lease), Optional::isPresent)
                .orElseThrow();
    }

    private static ReportDeletedRequest.Builder report(String lease, Deletion task) {
        return ReportDeletedRequest.newBuilder()
                .setLease(lease)
                .setPurge(task.getPurge())
                .setRegion(task.getRegion())
                .setClaim(task.getClaim());
    }

    /** Both processes have heard of it, and it is being deleted. */
    private String deleting(String account) throws Exception {
        account(account);
        String id = begun(Map.of("resourceName", account, "partition", "llama"));
        bothHear(id);
        awaitState(id, "deleting");
        return id;
    }

    @Test
    void thoseThatAreNotOverAreCountedByTheirState() throws Exception {
        String id = deleting("purge-counted");

        await().atMost(Patience.LIMIT).until(() -> metric("kvstore_purges{", "deleting") >= 1);
        assertThat(metric("kvstore_purge_oldest_age_seconds", "")).isPositive();

        given().header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                .contentType(ContentType.JSON)
                .post("/v1/purges/" + id + "/cancel")
                .then()
                .statusCode(200);
        await().atMost(Patience.LIMIT).until(() -> metric("kvstore_purges{", "deleting") == 0);
    }

    private static double metric(String name, String label) {
        return given().get("/q/metrics")
                .asString()
                .lines()
                .filter(line -> line.startsWith(name) && line.contains(label))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    @Test
    void manyPurgesAreReadInTwoQueries() throws Exception {
        for (int i = 0; i < 5; i++) {
            account("purge-many-" + i);
            begun(Map.of("resourceName", "purge-many-" + i, "partition", "llama"));
        }
        AtomicInteger queries = new AtomicInteger();

        List<PurgeJob> since = new PurgeSteps(counting(queries)).since(0, 100);

        assertThat(since)
                .hasSize(5)
                .allSatisfy(job -> assertThat(job.regions())
                        .extracting(PurgeJob.RegionPurge::region)
                        .containsExactly("warm-away", "warm-home"));
        assertThat(queries).hasValue(2);
    }

    /** The database, whose queries are counted. */
    private DataSource counting(AtomicInteger queries) {
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (_, method, arguments) -> {
                    Connection connection = (Connection) method.invoke(database, arguments);
                    return Proxy.newProxyInstance(
                            Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (_, what, with) -> {
                                if (what.getName().equals("prepareStatement")) {
                                    queries.incrementAndGet();
                                }
                                return what.invoke(connection, with);
                            });
                });
    }

    @Test
    void storageIsDeletedFromOnceAllHaveHeardAndItEndsOnceAllHaveForgotten() throws Exception {
        account("purge-order");
        String id = begun(Map.of("resourceName", "purge-order", "partition", "llama"));
        Purge running = heard(home, id, Purge.State.RUNNING);
        assertThat(running.getWhat().getRoot()).isEqualTo(WireNames.field(MODEL.root()));
        assertThat(running.getPlacesList())
                .containsExactlyInAnyOrder(
                        StorageDigest.of("file:/warm/away/purge-order"),
                        StorageDigest.of("file:/warm/home/purge-order"));
        // A data plane that has nothing to do with the account is told the same, and may learn no names by it.
        assertThat(new String(running.toByteArray(), ISO_8859_1))
                .doesNotContain("purge-order")
                .doesNotContain("llama");
        var _ = follow(home, running.getVersion());
        await().atMost(Patience.LIMIT)
                .untilAsserted(() -> purge(id)
                        .body("state", equalTo("telling"))
                        .body("waiting", equalTo("for data planes: warm-away/p0")));
        assertThat(claim(home)).isEmpty();
        var _ = follow(away, running.getVersion());

        Deletion here = claimed(home);
        Deletion there = claimed(away);
        assertThat(here.getStorage().getFilesystem().getPath()).isEqualTo("/warm/home/purge-order");
        assertThat(there.getRegion()).isEqualTo("warm-away");
        assertThat(purges.reportDeleted(report(home, here)
                                .setLast(true)
                                .setLookedAt(3)
                                .setDeleted(2)
                                .build())
                        .getOver())
                .isTrue();
        var _ = purges.reportDeleted(report(away, there).setLast(true).build());

        Purge forgetting = heard(home, id, Purge.State.FORGETTING);
        assertThat(forgetting.getVersion()).isGreaterThan(running.getVersion());
        var _ = follow(home, forgetting.getVersion());
        purge(id).body("state", equalTo("forgetting"));
        var _ = follow(away, forgetting.getVersion());

        awaitState(id, "done");
        purge(id).body("deleted", equalTo(2)).body("lookedAt", equalTo(3)).body("regions", hasSize(2));
        assertThat(heard(away, id, Purge.State.OVER).getVersion()).isGreaterThan(forgetting.getVersion());
        given().header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                .queryParam("kind", "purge")
                .queryParam("name", id)
                .get("/v1/audit")
                .then()
                .body("items[0].action", equalTo("create"))
                .body("items[0].after.partition", equalTo("llama"));
    }

    /** A deletion that both processes and one of another cluster of the home region have heard of. */
    private String deletingBeside(String rogue, String account) throws Exception {
        String id = begun(Map.of("resourceName", account, "partition", "llama"));
        for (String lease : List.of(home, away, rogue)) {
            var _ = follow(lease, heard(lease, id, Purge.State.RUNNING).getVersion());
        }
        awaitState(id, "deleting");
        return id;
    }

    @Test
    void aDeletionIsGivenToTheClusterOnWhichTheAccountIsPlaced() throws Exception {
        String rogue = lease("warm-home", "warm-rogue", "10.0.8.6:8085");
        account("purge-placed");
        place("purge-placed", "warm-home", "warm-home", false);
        sql("update replica set region = 'warm-none' where resource_name = 'purge-placed' and region = 'warm-away'");
        var _ = deletingBeside(rogue, "purge-placed");

        // Nor is the cluster given the storage of a region without data planes: at home the account is another's.
        assertThat(claim(rogue)).isEmpty();
        Deletion atHome = claimed(home);
        assertThat(atHome.getRegion()).isEqualTo("warm-home");
        assertThat(claim(rogue)).isEmpty();
        // Or its claim may end on a busy machine, and the same one is given again.
        var _ = purges.reportDeleted(report(home, atHome).setLast(true).build());
        assertThat(claim(rogue)).isEmpty();
        assertThat(claimed(home).getRegion()).isEqualTo("warm-none");
    }

    @Test
    void anAccountThatIsPlacedNowhereIsPlacedWhenItsPurgeIsMade() throws Exception {
        account("purge-unplaced");
        await().atMost(Patience.LIMIT)
                .until(() -> !vacancies.vacancies("warm-home").isEmpty());

        var _ = begun(Map.of("resourceName", "purge-unplaced", "partition", "llama"));

        assertThat(vacancies.vacancies("warm-home"))
                .containsKey(text("select cluster from placement where resource_name = ?", "purge-unplaced"));
    }

    @Test
    void anotherClusterOfTheRegionDeletesWhereThePlacedOneHasNoDataPlaneUnlessItIsPinned() throws Exception {
        String rogue = lease("warm-home", "warm-rogue", "10.0.8.6:8085");
        account("purge-pinned");
        account("purge-gone");
        account("purge-nowhere");
        put("/v1/clusters/warm-empty", Map.of("region", "warm-home", "state", "active"));
        place("purge-pinned", "warm-home", "warm-empty", true);
        place("purge-gone", "warm-home", "warm-empty", false);
        for (String account : List.of("purge-pinned", "purge-gone", "purge-nowhere")) {
            var _ = deletingBeside(rogue, account);
        }
        sql("delete from placement where resource_name = 'purge-nowhere'");

        assertThat(List.of(claimed(rogue), claimed(rogue)))
                .extracting(Deletion::getResourceName)
                .containsExactlyInAnyOrder("purge-gone", "purge-nowhere");
        assertThat(claim(rogue)).isEmpty();
        assertThat(claim(home)).isEmpty();
    }

    @Test
    void aPurgeGoesOnWithoutASilentDataPlaneWhichIsInNoRouteUntilItConfirms() throws Exception {
        account("purge-silent");
        String id = begun(Map.of("resourceName", "purge-silent", "partition", "llama"));
        Purge running = heard(home, id, Purge.State.RUNNING);
        var _ = follow(home, running.getVersion());
        await().atMost(Patience.LIMIT)
                .untilAsserted(() -> purge(id).body("waiting", equalTo("for data planes: warm-away/p0")));
        given().header("Authorization", "Bearer " + TestIssuer.token(List.of("tenant-admin"), "warm"))
                .get("/v1/purges/" + id)
                .then()
                .body("waiting", equalTo("for 1 data plane"));
        assertThat(isRouted(away)).isTrue();

        // It is awaited for a minute, and for one more since it joined after the purge began.
        sql("update purge set step_at = step_at - interval '61 s' where id = ?", id);
        purge(id).body("state", equalTo("telling"));
        sql("update purge set step_at = step_at - interval '60 s' where id = ?", id);
        await().atMost(Patience.LIMIT).until(() -> !isRouted(away));
        awaitState(id, "deleting");
        assertThat(isRouted(home)).isTrue();
        assertThat(claim(away)).isEmpty();

        // Whoever joins now has to confirm the purge first.
        String late = lease("warm-away", "warm-late", "10.0.8.4:8085");
        await().atMost(Patience.LIMIT).until(() -> isKnown(late) && !isRouted(late));
        for (String lease : List.of(away, late)) {
            await().atMost(Patience.LIMIT).until(() -> {
                var _ = follow(lease, heard(lease, id, Purge.State.RUNNING).getVersion());
                return isRouted(lease);
            });
        }
        assertThat(claimed(away).getPurge()).isEqualTo(id);
    }

    @Test
    void aDataPlaneWhoseLeaseHasEndedIsNotWaitedForAndComesBackIntoRoutesOnceItConfirms() throws Exception {
        account("purge-absent");
        sql("update heartbeat set ends_at = now() - interval '10 s' where lease::text = ?", away);
        String id = begun(Map.of("resourceName", "purge-absent", "partition", "llama"));
        var _ = follow(home, heard(home, id, Purge.State.RUNNING).getVersion());
        awaitState(id, "deleting");

        sql("update heartbeat set ends_at = now() + interval '1 minute' where lease::text = ?", away);
        await().atMost(Patience.LIMIT).until(() -> !isRouted(away));
        assertThat(isRouted(home)).isTrue();

        await().atMost(Patience.LIMIT).until(() -> {
            var _ = follow(away, heard(away, id, Purge.State.RUNNING).getVersion());
            return isRouted(away);
        });
    }

    @Test
    void aDataPlaneThatJoinsAfterAPurgeIsInNoRouteUntilItConfirms() throws Exception {
        account("purge-before");
        String id = begun(Map.of("resourceName", "purge-before", "partition", "llama"));
        bothHear(id);
        awaitState(id, "deleting");

        // It may have been cut off, with the blocks in memory, until its lease was forgotten.
        String late = lease("warm-away", "warm-late", "10.0.8.4:8085");
        await().atMost(Patience.LIMIT).until(() -> isKnown(late) && !isRouted(late));
        assertThat(isRouted(home)).isTrue();
        assertThat(isRouted(away)).isTrue();

        await().atMost(Patience.LIMIT).until(() -> {
            var _ = follow(late, heard(late, id, Purge.State.RUNNING).getVersion());
            return isRouted(late);
        });
    }

    @Test
    void aDataPlaneThatConfirmsAtOnceIsInRoutesAsSoonAsItIsKnown() throws Exception {
        account("purge-at-once");
        String id = begun(Map.of("resourceName", "purge-at-once", "partition", "llama"));
        bothHear(id);
        awaitState(id, "deleting");

        String late = lease("warm-away", "warm-late", "10.0.8.4:8085");
        var _ = follow(late, heard(late, id, Purge.State.RUNNING).getVersion());

        assertThat(text("""
                select (f.done >= (select max(left_version) from purge))::text from purge_follower f
                where f.lease::text = ?""", late)).isEqualTo("true");
    }

    private boolean isRouted(String lease) {
        return !fleets.snapshot().orElseThrow().withheld().contains(lease);
    }

    private boolean isKnown(String lease) {
        return fleets.now().orElseThrow().clusters().stream()
                .anyMatch(cluster -> cluster.name().equals("warm-late")
                        && cluster.members().stream().allMatch(member -> member.draining() != isRouted(lease)));
    }

    @Test
    void timeInWhichNoControlPlaneLookedIsNotWaitedFor() throws Exception {
        account("purge-outage");
        String id = begun(Map.of("resourceName", "purge-outage", "partition", "llama"));
        var _ = heard(home, id, Purge.State.RUNNING);

        sql(
                "update purge set step_at = step_at - interval '1 h', looked_at = looked_at - interval '1 h' where id = ?",
                id);

        await().atMost(Patience.LIMIT)
                .until(() -> text("select (step_at > now() - interval '1 min')::text from purge where id = ?", id)
                        .equals("true"));
        purge(id).body("state", equalTo("telling"));
        assertThat(isRouted(away)).isTrue();
    }

    @Test
    void whereNothingIsProvenToBeTheTenantsNothingIsPurged() throws Exception {
        account("purge-unproven");
        sql(
                "update replica set state = 'FAILING', proven = false, vouched = false where resource_name = 'purge-unproven'"
                        + " and region = 'warm-away'");
        String id = begun(Map.of("resourceName", "purge-unproven", "partition", "llama"));

        assertThat(heard(home, id, Purge.State.RUNNING).getPlacesList())
                .containsExactly(StorageDigest.of("file:/warm/home/purge-unproven"));
        purge(id).body("regions", hasSize(1));

        sql(
                "update replica set state = 'FAILING', proven = false, vouched = false where resource_name = 'purge-unproven'");
        wish(Map.of("resourceName", "purge-unproven", "partition", "mistral"))
                .statusCode(409)
                .body("detail", containsString("no storage of purge-unproven is proven"));
    }

    @Test
    void aStorageThatIsAnotherOneSinceIsNotPurged() throws Exception {
        String id = deleting("purge-moved");
        sql("update replica set endpoint = 'file:///warm/elsewhere' where resource_name = 'purge-moved'"
                + " and region = 'warm-home'");
        sql("update replica set proven = false, vouched = false where resource_name = 'purge-moved'"
                + " and region = 'warm-away'");

        for (String lease : List.of(home, away)) {
            await().atMost(Patience.LIMIT).untilAsserted(() -> {
                assertThat(claim(lease)).isEmpty();
                purge(id)
                        .body(
                                "regions.find { it.region == '" + (lease.equals(home) ? "warm-home" : "warm-away")
                                        + "' }.done",
                                equalTo(true));
            });
        }
        purge(id).body("flaw", containsString("another since, or not proven"));
    }

    @Test
    void aProcessThatFollowsBeforeTheControlPlaneLooksAgainIsNotAskedTwice() throws Exception {
        account("purge-ahead");
        Map<String, ?> spec = Map.of("resourceName", "purge-ahead", "partition", "llama");
        String over = begun(spec);
        sql("update purge set state = 'CANCELLED', ended_at = now() where id = ?", over);
        await().atMost(Patience.LIMIT)
                .until(() -> !keeper.standing().open() && keeper.standing().latest() > 0);

        String id = begun(spec);
        bothHear(id);

        awaitState(id, "deleting");
    }

    @Test
    void aProcessThatDiesIsNotWaitedForAndAnotherGoesOnWhereItWas() throws Exception {
        String id = deleting("purge-died");
        Deletion first = claimed(away);
        ReportDeletedRequest part = report(away, first)
                .setCursor("half")
                .setLookedAt(5)
                .setDeleted(5)
                .build();
        assertThat(purges.reportDeleted(part).getOver()).isFalse();
        // Its answer was lost.
        assertThat(purges.reportDeleted(part).getOver()).isFalse();
        purge(id).body("deleted", equalTo(5));
        assertThat(claim(away)).isEmpty();

        sql("update purge_region set claimed_until = now() - interval '1 s' where purge = ?", id);
        Deletion second = claimed(away);

        assertThat(second.getCursor()).isEqualTo("half");
        assertThat(purges.reportDeleted(report(away, first)
                                .setFrom("half")
                                .setLast(true)
                                .build())
                        .getOver())
                .isTrue();
        purge(id).body("regions[0].done", equalTo(false));
        // Only who was given it may tell of it.
        assertThat(purges.reportDeleted(report(home, second)
                                .setFrom("half")
                                .setLast(true)
                                .build())
                        .getOver())
                .isTrue();
        purge(id).body("regions[0].done", equalTo(false));
        var _ = purges.reportDeleted(
                report(away, second).setFrom("half").setLast(true).build());
        purge(id).body("regions[0].done", equalTo(true));
    }

    @Test
    void whatStorageDoesNotLetGoOfLeavesItPartial() throws Exception {
        String id = deleting("purge-partial");
        for (String lease : List.of(home, away)) {
            Deletion task = claimed(lease);
            var _ = purges.reportDeleted(report(lease, task)
                    .setLast(true)
                    .setLookedAt(1)
                    .setFailed(1)
                    .setFlaw("it is locked\u001b[2J")
                    .build());
            // Others see no blocks of it either.
            if (lease.equals(away)) {
                long version = heard(lease, id, Purge.State.FORGETTING).getVersion();
                var _ = follow(home, version);
                var _ = follow(away, version);
            }
        }

        awaitState(id, "partial");
        purge(id).body("failed", equalTo(2)).body("flaw", containsString("it is locked?[2J"));
    }

    @Test
    void aPurgeThatIsCancelledForbidsNothing() throws Exception {
        String id = deleting("purge-cancel");

        given().header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                .contentType(ContentType.JSON)
                .post("/v1/purges/" + id + "/cancel")
                .then()
                .statusCode(200)
                .body("state", equalTo("cancelled"));

        assertThat(heard(home, id, Purge.State.VOID).getId()).isEqualTo(id);
        assertThat(claim(home)).isEmpty();
        given().header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                .contentType(ContentType.JSON)
                .post("/v1/purges/" + id + "/cancel")
                .then()
                .statusCode(409);
    }

    @Test
    void itIsOneOfAPartitionABlockAndAKey() throws Exception {
        account("purge-spec");
        String hash = MODEL.root().hex();
        wish(Map.of("resourceName", "purge-spec")).statusCode(400);
        wish(Map.of("resourceName", "purge-spec", "block", hash)).statusCode(400);
        wish(Map.of("resourceName", "purge-spec", "key", "0a1b", "partition", "llama"))
                .statusCode(400);
        wish(Map.of("resourceName", "purge-spec", "key", "kv_0a1b_secret")).statusCode(400);
        wish(Map.of("resourceName", "purge-spec", "partition", "llama", "block", "xyz"))
                .statusCode(400);
        wish(Map.of("resourceName", "purge-none", "partition", "llama")).statusCode(404);

        String block = begun(Map.of("resourceName", "purge-spec", "partition", "llama", "block", hash));
        String key = begun(Map.of("resourceName", "purge-spec", "key", "0a1b"));

        assertThat(heard(home, block, Purge.State.RUNNING).getWhat().getHash())
                .isEqualTo(WireNames.field(MODEL.root()));
        assertThat(heard(home, key, Purge.State.RUNNING).getWhat().getWriter()).isEqualTo("0a1b");
    }

    @Test
    void onlyAdminsOfTheTenantAndOfThePlatformPurge() throws Exception {
        account("purge-role");
        Map<String, String> spec = Map.of("resourceName", "purge-role", "key", "0a1b");
        wish(TestIssuer.token(List.of("viewer"), null), spec).statusCode(403);
        wish(TestIssuer.token(List.of("viewer"), "warm"), spec).statusCode(403);
        wish(TestIssuer.token(List.of("tenant-admin"), "stranger"), spec).statusCode(404);

        String id = wish(TestIssuer.token(List.of("tenant-admin"), "warm"), spec)
                .statusCode(201)
                .extract()
                .path("id");

        given().header("Authorization", "Bearer " + TestIssuer.token(List.of("tenant-admin"), "stranger"))
                .get("/v1/purges/" + id)
                .then()
                .statusCode(404);
        given().header("Authorization", "Bearer " + TestIssuer.token(List.of("viewer"), "warm"))
                .get("/v1/purges?account=purge-role")
                .then()
                .body("items", hasSize(1));
    }

    @Test
    void aTenantHasFewAtATime() throws Exception {
        account("purge-many");
        for (int i = 0; i < 5; i++) {
            var _ = begun(Map.of("resourceName", "purge-many", "key", "k" + i));
        }

        wish(Map.of("resourceName", "purge-many", "key", "k5"))
                .statusCode(409)
                .body("detail", containsString("purges that are not over"));
    }
}
