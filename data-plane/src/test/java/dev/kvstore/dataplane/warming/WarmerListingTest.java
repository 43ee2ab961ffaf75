package dev.kvstore.dataplane.warming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.protocol.control.v1.Listing;
import dev.kvstore.protocol.control.v1.Task;
import dev.kvstore.protocol.wire.WireNames;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Listings for a warming: of all that is stored, and of a prefix. */
@Tag("slow")
class WarmerListingTest extends WarmerSetup {
    @Test
    void aListingTellsOfBlocksAloneWithTheirTimesPageByPage() throws Exception {
        for (int i = 1; i <= 3; i++) {
            store(from, i);
        }
        store(from, 4);
        from.archive(name(4));
        var _ = from.putIfAbsent("kv/v1/" + ROOT.hex() + "/presence/log", ByteBuffer.wrap(new byte[1]));
        // Named as a block is, and none: elsewhere than a block would be, empty, and longer than any. Nor one that is
        // archived.
        String folder = "kv/v1/" + ROOT.hex() + "/ff/";
        from.putZeros(folder + "00" + "f".repeat(62), 1);
        from.putZeros(folder + "ff" + "e".repeat(62), 0);
        from.putZeros(folder + "ff" + "f".repeat(62), BlockStore.MAX_BLOB_BYTES + 1);
        giver.tasks.add(task().setListing(Listing.newBuilder().setRoot(WireNames.field(ROOT)))
                .build());
        warmer.start();

        await().until(() -> giver.listed.size() == 1);
        assertThat(giver.listed.getFirst()).satisfies(report -> {
            assertThat(report.getBlocks().size()).isEqualTo(3 * 64);
            assertThat(report.getBytesList()).containsOnly(STORED_BYTES);
            assertThat(report.getRanksList()).allMatch(rank -> rank > 1_600_000_000_000L);
            assertThat(report.getLast()).isTrue();
        });
    }

    @Test
    void aPrefixIsFoundFromItsLastBlockToItsFirst() throws Exception {
        int blocks = 70;
        for (int i = 1; i <= blocks; i++) {
            store(from, i);
        }
        giver.tasks.add(prefix(blocks - 1));
        warmer.start();

        await().until(() -> !giver.listed.isEmpty() && giver.listed.getLast().getLast());
        List<Long> ranks = giver.listed.stream()
                .flatMap(report -> report.getRanksList().stream())
                .toList();
        assertThat(ranks).hasSize(blocks - 1).isSortedAccordingTo((a, b) -> Long.compare(b, a));
        assertThat(giver.listed.get(1).getFrom())
                .isEqualTo(giver.listed.getFirst().getCursor());
        ByteString last = giver.listed.getLast().getBlocks();
        assertThat(WireNames.hash(last.substring(last.size() - 32))).isEqualTo(hash(1));
    }

    @Test
    void aPrefixThatIsNotThereEndsItsListing() throws Exception {
        giver.tasks.add(prefix(1));
        warmer.start();

        await().until(() -> giver.listed.size() == 1);
        assertThat(giver.listed.getFirst().getFlaw())
                .isEqualTo("block " + hash(1).hex() + " of the prefix is not at the source");
    }

    private static Task prefix(int block) {
        return task().setListing(
                        Listing.newBuilder().setRoot(WireNames.field(ROOT)).setLastHash(WireNames.field(hash(block))))
                .build();
    }
}
