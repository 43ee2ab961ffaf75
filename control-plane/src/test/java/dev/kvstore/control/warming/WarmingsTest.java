package dev.kvstore.control.warming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;

import com.google.protobuf.ByteString;
import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import dev.kvstore.protocol.control.v1.ReportCopiedRequest;
import dev.kvstore.protocol.control.v1.ReportCopiedResponse;
import dev.kvstore.protocol.control.v1.ReportListedRequest;
import dev.kvstore.protocol.control.v1.Task;
import dev.kvstore.testing.Patience;
import io.grpc.StatusRuntimeException;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
@QuarkusTest
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(TestIssuer.class)
class WarmingsTest extends TwoRegions {
    @Test
    void theHottestBlocksComeFirstAndThoseBeforeThemInTheirPromptEvenEarlier() throws Exception {
        account("warm-order");
        used("warm-order", 1, 0, 5, 0);
        String id = created(spec("warm-order", Map.of("hottestBytes", 3_500)));

        Task task = claimed();

        assertThat(task.getWarming()).isEqualTo(id);
        assertThat(blocks(task)).containsExactly(1, 2, 3);
        assertThat(task.getSource().getFilesystem().getPath()).isEqualTo("/warm/home/warm-order");
        assertThat(task.getCopying().getTarget().getFilesystem().getPath()).isEqualTo("/warm/away/warm-order");
        get(id).body("state", equalTo("running")).body("blocks.all", equalTo(3)).body("bytes.left", equalTo(3_000));
    }

    @Test
    void whatIsReportedIsCountedAndTheLastBlockEndsIt() throws Exception {
        account("warm-count");
        used("warm-count", 0, 0, 0);
        String id = created(spec("warm-count", Map.of("hottestBytes", 1_000_000)));
        Task task = claimed();

        assertThat(report(task, 0, 1).getOver()).isFalse();
        get(id).body("blocks.copied", equalTo(1))
                .body("blocks.left", equalTo(2))
                .body("rate", equalTo(500))
                .body("eta", equalTo(4));

        assertThat(report(task, 1, 2, 1).getOver()).isTrue();
        get(id).body("state", equalTo("done"))
                .body("blocks.copied", equalTo(2))
                .body("blocks.present", equalTo(1))
                .body("bytes.left", equalTo(0));
    }

    @Test
    void whatALaterVersionSelectedIsListedAllTheSame() throws Exception {
        account("warm-later");
        used("warm-later", 0);
        String id = created(spec("warm-later", Map.of("hottestBytes", 1_000_000)));
        sql("update warming set selection = selection || '{\"later\": true}' where id = ?", id);

        get(id).body("select.hottestBytes", equalTo(1_000_000));
        get("?account=warm-later").body("items", hasSize(1));
    }

    @Test
    void blocksThatFailedAreToldOneByOneWithTheirReasons() throws Exception {
        account("warm-fail");
        used("warm-fail", 0, 0, 0);
        String id = created(spec("warm-fail", Map.of("hottestBytes", 1_000_000)));
        Task task = claimed();

        var _ = report(task, 0, 3, 1, 3);

        get(id).body("state", equalTo("partial")).body("blocks.failed", equalTo(2));
        get(id + "/failures?limit=1")
                .body("items", hasSize(1))
                .body("items[0].hash", equalTo(blocks(task).getFirst() == 3 ? block(3).hex() : block(1).hex()))
                .body("items[0].reason", equalTo("it burnt"));
        String next = get(id + "/failures?limit=1").extract().path("next");
        get(id + "/failures?cursor=" + next).body("items", hasSize(1));
    }

    @Test
    void toSayTheSameTwiceCountsOnce() throws Exception {
        account("warm-twice");
        used("warm-twice", 0, 0, 0);
        String id = created(spec("warm-twice", Map.of("hottestBytes", 1_000_000)));
        Task task = claimed();

        var _ = report(task, 0, 1, 1);
        var _ = report(task, 0, 1, 1);
        get(id).body("blocks.copied", equalTo(2));

        var _ = report(task, 0, 1, 1, 1);
        get(id).body("blocks.copied", equalTo(3)).body("state", equalTo("done"));
    }

    @Test
    void aReportThatLeavesBlocksOutIsRefused() throws Exception {
        account("warm-gap");
        used("warm-gap", 0, 0, 0);
        var _ = created(spec("warm-gap", Map.of("hottestBytes", 1_000_000)));
        Task task = claimed();

        assertThatThrownBy(() -> report(task, 1, 1))
                .isInstanceOf(StatusRuntimeException.class)
                .hasMessageContaining("INVALID_ARGUMENT: from");
        assertThatThrownBy(() -> report(task, 0, 1, 1, 1, 1)).hasMessageContaining("INVALID_ARGUMENT: from");
        assertThatThrownBy(() -> report(task, 0, 7)).hasMessageContaining("INVALID_ARGUMENT: outcomes");
    }

    @Test
    void whatAWorkerThatDiedHadDoneIsNotDoneAgain() throws Exception {
        account("warm-died");
        used("warm-died", 0, 0, 0);
        String id = created(spec("warm-died", Map.of("hottestBytes", 1_000_000)));
        Task first = claimed();
        var _ = report(first, 0, 1);
        assertThat(isNothingToDo(away)).isTrue();

        sql("update warming_chunk set claimed_until = now() - interval '1 s' where warming = ?", id);
        Task second = claimed();

        assertThat(second.getCopying().getDone()).isEqualTo(1);
        assertThat(second.getClaim()).isGreaterThan(first.getClaim());
        assertThat(report(first, 1, 1).getOver()).isTrue();
        get(id).body("blocks.copied", equalTo(1));
        assertThat(report(second, 1, 2, 1).getOver()).isTrue();
        get(id).body("state", equalTo("done")).body("blocks.copied", equalTo(2));
    }

    @Test
    void whoIsLateGoesOnIfNobodyElseTookOver() throws Exception {
        account("warm-late");
        used("warm-late", 0, 0);
        String id = created(spec("warm-late", Map.of("hottestBytes", 1_000_000)));
        Task task = claimed();
        sql("update warming_chunk set claimed_until = now() - interval '1 s' where warming = ?", id);

        assertThat(report(task, 0, 1).getOver()).isFalse();
        assertThat(isNothingToDo(away)).isTrue();
    }

    @Test
    void whoWasNotGivenAChunkDoesNotReportOnIt() throws Exception {
        account("forged");
        used("forged", 3, 2);
        String id = created(spec("forged", Map.of("hottestBytes", 1_000_000)));
        Task task = claimed();
        String other = lease("warm-else", "10.0.8.3:8085");
        double before = refused("copied");

        ReportCopiedResponse answer = calls.reportCopied(ReportCopiedRequest.newBuilder()
                .setLease(other)
                .setWarming(id)
                .setClaim(task.getClaim())
                .setChunk(task.getCopying().getChunk())
                .setOutcomes(ByteString.copyFrom(new byte[] {1, 1}))
                .build());

        assertThat(answer.getOver()).isTrue();
        get(id).body("blocks.copied", equalTo(0));
        assertThat(refused("copied")).isEqualTo(before + 1);
        assertThat(report(task, 0, 1, 1).getOver()).isTrue();
        get(id).body("blocks.copied", equalTo(2));
    }

    @Test
    void whoWasNotGivenAListingDoesNotReportOnIt() throws Exception {
        account("forged-list");
        String id = created(spec("forged-list", Map.of("all", true)));
        Task listing = claimed();
        String other = lease("warm-else", "10.0.8.3:8085");
        double before = refused("listed");
        ReportListedRequest.Builder end = ReportListedRequest.newBuilder()
                .setWarming(id)
                .setClaim(listing.getClaim())
                .setFlaw("made up")
                .setLast(true);

        assertThat(calls.reportListed(end.setLease(other).build()).getOver()).isTrue();

        assertThat(state(id)).isEqualTo("planning");
        assertThat(refused("listed")).isEqualTo(before + 1);
        assertThat(calls.reportListed(end.setLease(away).build()).getOver()).isTrue();
        assertThat(state(id)).isEqualTo("failed");
    }

    private static double refused(String report) {
        return RestAssured.get("/q/metrics")
                .asString()
                .lines()
                .filter(line -> line.startsWith("kvstore_reports_refused_total{") && line.contains(report))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    @Test
    void onlyTheRegionThatBlocksGoToIsGivenThem() throws Exception {
        account("warm-there");
        used("warm-there", 0);
        String id = created(spec("warm-there", Map.of("hottestBytes", 1_000_000)));
        await().atMost(Patience.LIMIT).until(() -> state(id).equals("running"));

        assertThat(isNothingToDo(home)).isTrue();
        assertThat(isNothingToDo(away, id)).isTrue();
        assertThat(claimed().getWarming()).isEqualTo(id);
    }

    @Test
    void processesShareWhatAWarmingMayTake() throws Exception {
        account("warm-share");
        used(
                "warm-share",
                IntStream.range(0, Chunking.BLOCKS + 1)
                        .asDoubleStream()
                        .map(_ -> 0)
                        .toArray());
        Map<String, Object> spec = spec("warm-share", Map.of("hottestBytes", 10_000_000));
        spec.put("bytesPerSecond", 100_000);
        spec.put("requestsPerSecond", 10);
        var _ = created(spec);

        Task one = claimed();
        Task other = claimed();

        assertThat(one.getBudget().getBytesPerSecond()).isEqualTo(100_000);
        assertThat(other.getBudget().getBytesPerSecond()).isEqualTo(50_000);
        assertThat(report(one, 0, 1).getBudget().getRequestsPerSecond()).isEqualTo(5);
        assertThat(one.getCopying().getChunk()).isZero();
        assertThat(other.getCopying().getChunk()).isEqualTo(1);
    }

    @Test
    void whatIsPausedWaitsAndGoesOnWhereItWas() throws Exception {
        account("warm-pause");
        used("warm-pause", 0, 0, 0);
        String id = created(spec("warm-pause", Map.of("hottestBytes", 1_000_000)));
        Task task = claimed();

        post(id, "pause").statusCode(200).body("state", equalTo("paused"));
        assertThat(report(task, 0, 1).getOver()).isTrue();
        assertThat(isNothingToDo(away)).isTrue();

        post(id, "resume").statusCode(200).body("state", equalTo("running"));
        sql("update warming_chunk set claimed_until = null where warming = ?", id);
        assertThat(claimed().getCopying().getDone()).isEqualTo(1);
    }

    @Test
    void whatIsCancelledStaysSo() throws Exception {
        account("warm-cancel");
        used("warm-cancel", 0, 0);
        String id = created(spec("warm-cancel", Map.of("hottestBytes", 1_000_000)));
        Task task = claimed();

        post(id, "cancel").statusCode(200).body("state", equalTo("cancelled"));
        assertThat(report(task, 0, 1, 1).getOver()).isTrue();
        get(id).body("state", equalTo("cancelled"));
        post(id, "cancel").statusCode(200);
        post(id, "resume").statusCode(409).body("detail", containsString("make a new one"));
    }

    @Test
    void whatIsStoredIsListedByADataPlaneAndCopiedInItsOrder() throws Exception {
        account("warm-list");
        String id = created(spec("warm-list", Map.of("all", true)));
        Task listing = claimed();
        assertThat(listing.hasListing()).isTrue();
        assertThat(listing.getListing().getRoot()).isEqualTo(ByteString.EMPTY);

        ReportListedRequest.Builder page =
                ReportListedRequest.newBuilder().setLease(away).setWarming(id).setClaim(listing.getClaim());
        ReportListedRequest first = listed(page, 2, 30).setCursor("more").build();
        assertThat(calls.reportListed(first).getOver()).isFalse();
        // Its answer was lost.
        assertThat(calls.reportListed(first).getOver()).isFalse();
        get(id).body("state", equalTo("planning")).body("blocks.all", equalTo(1));
        assertThat(calls.reportListed(listed(page, 1, 20)
                                .setFrom("more")
                                .setLast(true)
                                .build())
                        .getOver())
                .isTrue();

        assertThat(blocks(claimed())).containsExactly(1, 2);
    }

    private static ReportListedRequest.Builder listed(ReportListedRequest.Builder page, int block, long rank) {
        return page.setBlocks(MODEL.root().toByteString().concat(block(block).toByteString()))
                .clearBytes()
                .addBytes(1_000)
                .clearRanks()
                .addRanks(rank);
    }

    @Test
    void ofWhatIsStoredTheHottestComesFirst() throws Exception {
        account("warm-both");
        used("warm-both", 0, 0, 3);
        String id = created(spec("warm-both", Map.of("partition", "llama")));
        Task listing = claimed();
        assertThat(listing.getListing().getRoot()).isEqualTo(MODEL.root().toByteString());

        var _ = calls.reportListed(listed(
                        ReportListedRequest.newBuilder()
                                .setLease(away)
                                .setWarming(id)
                                .setClaim(listing.getClaim()),
                        9,
                        1)
                .setBlocks(name(9).concat(name(3)).concat(name(1)))
                .clearBytes()
                .addAllBytes(List.of(1, 1, 1))
                .clearRanks()
                .addAllRanks(List.of(1L, 3L, 2L))
                .setLast(true)
                .build());

        // Block 2 is used, and not stored any more.
        assertThat(blocks(claimed())).containsExactly(1, 3, 9);
    }

    private static ByteString name(int block) {
        return MODEL.root().toByteString().concat(block(block).toByteString());
    }

    @Test
    void aListingThatCannotGoOnEndsTheWarmingWithItsReason() throws Exception {
        account("warm-flaw");
        String id = created(spec("warm-flaw", Map.of("partition", "llama", "prefix", block(1).hex())));
        Task listing = claimed();
        assertThat(listing.getListing().getLastHash()).isEqualTo(block(1).toByteString());

        assertThat(calls.reportListed(ReportListedRequest.newBuilder()
                                .setLease(away)
                                .setWarming(id)
                                .setClaim(listing.getClaim())
                                .setFlaw("block 1 is not there")
                                .build())
                        .getOver())
                .isTrue();

        get(id).body("state", equalTo("failed")).body("flaw", equalTo("block 1 is not there"));
    }

    @Test
    void ofAnAccountThatNobodyUsesThereIsNothingToWarmAndItSaysWhatElseMayBeDone() throws Exception {
        account("warm-unused");
        String id = created(spec("warm-unused", Map.of("hottestBytes", 1_000_000)));

        await().atMost(Patience.LIMIT).until(() -> state(id).equals("done"));
        get(id).body("flaw", containsString("select storedSince"));
    }

    @Test
    void anAccountThatHasLostItsReplicaEndsTheWarming() throws Exception {
        account("warm-lost");
        used("warm-lost", 0);
        String id = created(spec("warm-lost", Map.of("hottestBytes", 1_000_000)));
        await().atMost(Patience.LIMIT).until(() -> state(id).equals("running"));
        sql("update replica set state = 'FAILING' where resource_name = ? and region = 'warm-away'", "warm-lost");

        assertThat(isNothingToDo(away)).isTrue();

        get(id).body("state", equalTo("failed")).body("flaw", containsString("no replica in warm-away"));
    }

    @Test
    void whatWasStoredSinceAnyTimeOfLongAgoIsListed() throws Exception {
        account("warm-ages");
        String id = created(spec("warm-ages", Map.of("storedSince", "0000-01-01T00:00:00Z")));

        Task listing = claimed();

        assertThat(listing.getWarming()).isEqualTo(id);
        assertThat(listing.getListing().getStoredSince()).isZero();
    }

    @Test
    void oneThatCannotBeGivenOutEndsAndKeepsNoOtherWaiting() throws Exception {
        account("warm-unread");
        String bad = created(spec("warm-unread", Map.of("all", true)));
        String good = created(spec("warm-unread", Map.of("all", true)));
        // As a version to come may write it.
        sql("update warming set selection = '{\"all\": \"most\"}' where id = ?", bad);

        assertThat(claimed().getWarming()).isEqualTo(good);

        await().atMost(Patience.LIMIT).until(() -> isNothingToDo(away));
        assertThat(text("select state from warming where id = ?", bad)).isEqualTo("FAILED");
    }

    @Test
    void aRequestThatMakesNoSenseIsToldWhichFieldIsWrong() throws Exception {
        account("warm-bad");
        Map<String, ?> hot = Map.of("hottestBytes", 1);
        refused(400, "to must be another region", with(spec("warm-bad", hot), "to", "warm-home"));
        refused(400, "to must be a region that is registered", with(spec("warm-bad", hot), "to", "nowhere"));
        refused(400, "from must be a region that is registered", with(spec("warm-bad", hot), "from", "nowhere"));
        refused(400, "to must be a region with a replica", with(spec("warm-bad", hot), "to", "warm-none"));
        refused(400, "bytesPerSecond", with(spec("warm-bad", hot), "bytesPerSecond", 0));
        refused(400, "bytesPerSecond", with(spec("warm-bad", hot), "bytesPerSecond", Long.MAX_VALUE));
        refused(400, "requestsPerSecond", with(spec("warm-bad", hot), "requestsPerSecond", -1));
        refused(400, "select must have one of", spec("warm-bad", Map.of()));
        refused(400, "select must have one of", spec("warm-bad", Map.of("hottestBytes", 1, "all", true)));
        refused(400, "select.partition is missing", spec("warm-bad", Map.of("prefix", block(1).hex())));
        refused(400, "select.storedSince", spec("warm-bad", Map.of("storedSince", "2999-01-01T00:00:00Z")));
        refused(400, "select.blockTokens", spec("warm-bad", Map.of("all", true, "blockTokens", 16)));
        refused(404, "no account warm-gone", spec("warm-gone", hot));
        sql("update replica set state = 'FAILING' where resource_name = ? and region = 'warm-home'", "warm-bad");
        refused(409, "was not found good yet", spec("warm-bad", hot));
    }

    private static Map<String, Object> with(Map<String, Object> spec, String field, Object value) {
        spec.put(field, value);
        return spec;
    }

    private static void refused(int status, String why, Map<String, ?> spec) {
        create(spec).statusCode(status).body("detail", containsString(why));
    }

    @Test
    void whatIsListedAgainIsListedAnew() throws Exception {
        account("warm-relist");
        Map<String, Object> spec = spec("warm-relist", Map.of("all", true));
        spec.put("everySeconds", 3_600);
        String id = created(spec);
        for (int round = 1; round <= 2; round++) {
            Task listing = claimed();
            assertThat(listing.getListing().getCursor()).isEmpty();
            var _ = calls.reportListed(listed(
                            ReportListedRequest.newBuilder()
                                    .setLease(away)
                                    .setWarming(id)
                                    .setClaim(listing.getClaim()),
                            round,
                            1)
                    .setLast(true)
                    .build());
            assertThat(report(claimed(), 0, 1).getOver()).isTrue();
            get(id).body("state", equalTo("waiting")).body("blocks.all", equalTo(round));
            isDue(id);
        }
    }

    @Test
    void howOftenHasItsBounds() throws Exception {
        account("warm-every");
        Map<String, ?> hot = Map.of("hottestBytes", 1);
        refused(400, "everySeconds", with(spec("warm-every", hot), "everySeconds", 9));
        refused(
                400,
                "everySeconds must be 3600 or more",
                with(spec("warm-every", Map.of("all", true)), "everySeconds", 60));
        refused(
                400,
                "everySeconds has no meaning for a prefix",
                with(
                        spec("warm-every", Map.of("partition", "llama", "prefix", block(1).hex())),
                        "everySeconds",
                        7_200));
    }

    @Test
    void anAccountHasOnlySoManyWarmingsAtATime() throws Exception {
        account("warm-many");
        used("warm-many", 0);
        for (int i = 0; i < Warmings.MOST_OPEN; i++) {
            var _ = created(spec("warm-many", Map.of("hottestBytes", 1_000_000)));
        }

        refused(409, "has 8 warmings that are not over", spec("warm-many", Map.of("hottestBytes", 1_000_000)));
    }

    @Test
    void theLatestAreListedFirstAndMayBeChosen() throws Exception {
        account("warm-page");
        String first = created(spec("warm-page", Map.of("hottestBytes", 1)));
        await().atMost(Patience.LIMIT).until(() -> state(first).equals("done"));
        // Ids go by the second.
        await().atMost(Patience.LIMIT)
                .until(() -> !Instant.now()
                        .toString()
                        .substring(0, 19)
                        .equals(get(first).extract().<String>path("createdAt").substring(0, 19)));
        String second = created(spec("warm-page", Map.of("all", true)));

        get("?account=warm-page").body("items.id", equalTo(List.of(second, first)));
        get("?account=warm-page&state=done").body("items.id", equalTo(List.of(first)));
        String next = get("?account=warm-page&limit=1").extract().path("next");
        get("?account=warm-page&cursor=" + next).body("items.id", equalTo(List.of(first)));
    }
}
