package dev.kvstore.control.warming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;

import com.google.protobuf.ByteString;
import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import dev.kvstore.protocol.control.v1.ReportListedRequest;
import dev.kvstore.protocol.control.v1.Task;
import dev.kvstore.protocol.wire.WireNames;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Warmings of what is stored: a data plane lists it, and it is copied in its order. */
@Tag("slow")
@QuarkusTest
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(TestIssuer.class)
class WarmingListingsTest extends TwoRegions {
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
    void aListingIsGivenToTheClusterOnWhichTheAccountIsPlaced() throws Exception {
        String rogue = lease("warm-away", "warm-away-rogue", "10.0.8.5:8085");
        account("placed-list");
        place("placed-list", "warm-away", "warm-away", true);
        var _ = created(spec("placed-list", Map.of("all", true)));

        assertThat(isNothingToDo(rogue)).isTrue();
        assertThat(claimed().hasListing()).isTrue();
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

    @Test
    void ofWhatIsStoredTheHottestComesFirst() throws Exception {
        account("warm-both");
        used("warm-both", 0, 0, 3);
        String id = created(spec("warm-both", Map.of("partition", "llama")));
        Task listing = claimed();
        assertThat(listing.getListing().getRoot()).isEqualTo(WireNames.field(MODEL.root()));

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

    @Test
    void aListingThatCannotGoOnEndsTheWarmingWithItsReason() throws Exception {
        account("warm-flaw");
        String id = created(spec("warm-flaw", Map.of("partition", "llama", "prefix", block(1).hex())));
        Task listing = claimed();
        assertThat(listing.getListing().getLastHash()).isEqualTo(WireNames.field(block(1)));

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
    void whatWasStoredSinceAnyTimeOfLongAgoIsListed() throws Exception {
        account("warm-ages");
        String id = created(spec("warm-ages", Map.of("storedSince", "0000-01-01T00:00:00Z")));

        Task listing = claimed();

        assertThat(listing.getWarming()).isEqualTo(id);
        assertThat(listing.getListing().getStoredSince()).isZero();
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

    private static ReportListedRequest.Builder listed(ReportListedRequest.Builder page, int block, long rank) {
        return page.setBlocks(WireNames.field(MODEL.root()).concat(WireNames.field(block(block))))
                .clearBytes()
                .addBytes(1_000)
                .clearRanks()
                .addRanks(rank);
    }

    private static ByteString name(int block) {
        return WireNames.field(MODEL.root()).concat(WireNames.field(block(block)));
    }
}
