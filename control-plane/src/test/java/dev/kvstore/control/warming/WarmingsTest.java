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
import dev.kvstore.protocol.control.v1.Task;
import dev.kvstore.testing.Patience;
import io.grpc.StatusRuntimeException;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A warming from its first chunk to its last report. */
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
    void aWarmingIsDoneByTheClusterOnWhichTheAccountIsPlaced() throws Exception {
        String rogue = lease("warm-away", "warm-away-rogue", "10.0.8.5:8085");
        account("warm-placed");
        place("warm-placed", "warm-away", "warm-away", false);
        used("warm-placed", 0);
        String id = created(spec("warm-placed", Map.of("hottestBytes", 1_000_000)));
        awaitState(id, "running");

        assertThat(isNothingToDo(rogue)).isTrue();
        assertThat(claimed().getWarming()).isEqualTo(id);
    }

    @Test
    void whereThePlacedClusterHasNoDataPlaneAnotherOneWarmsUnlessTheAccountIsPinned() throws Exception {
        put("/v1/clusters/warm-away-empty", Map.of("region", "warm-away", "state", "active"));
        account("warm-gone");
        place("warm-gone", "warm-away", "warm-away-empty", true);
        used("warm-gone", 0);
        String id = created(spec("warm-gone", Map.of("hottestBytes", 1_000_000)));
        awaitState(id, "running");
        assertThat(isNothingToDo(away)).isTrue();

        place("warm-gone", "warm-away", "warm-away-empty", false);

        assertThat(claimed().getWarming()).isEqualTo(id);
    }

    private static void awaitState(String id, String state) {
        await().atMost(Patience.LIMIT).until(() -> state(id), state::equals);
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
}
