package dev.kvstore.dataplane.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.presence.Presence;
import dev.kvstore.dataplane.server.DataPlaneFixture;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.dataplane.storage.MeteredStore;
import dev.kvstore.protocol.block.Location;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.v1.StreamingReadRequest;
import dev.kvstore.protocol.wire.WireNames;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The storage calls of lookups, at a process that wrote blocks, and at one that is asked about them. */
@Tag("slow")
final class LookupCallsTest {
    private static final StorageLocation LOCATION = new StorageLocation.Filesystem(Path.of("in-memory"));

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final MemoryStore blobs = new MemoryStore();
    private final DataPlaneFixture writer = start(blobs);
    private final DataPlaneFixture reader = start(new MeteredStore(blobs, meters));

    private static DataPlaneFixture start(BlockStore store) {
        return new DataPlaneFixture(LOCATION, _ -> store, Map.of());
    }

    @AfterEach
    void stop() {
        writer.close();
        reader.close();
    }

    @Test
    void aFullMissCostsNothing() {
        storedAndTold(TestChains.chain(5, 512, 1));
        cachedBlocks(reader, TestChains.chain(1, 512, 2)); // learns of the partition
        double before = calls();

        assertThat(cachedBlocks(reader, TestChains.chain(1000, 512, 3))).isZero();

        assertThat(calls()).isEqualTo(before);
    }

    @Test
    void aFullHitInMemoryCostsNothing() {
        List<PromptChunk> chain = TestChains.chain(1000, 512, 1);
        MainJobContract.writeAll(reader, chain);
        double before = calls();

        assertThat(cachedBlocks(reader, chain)).isEqualTo(1000);

        assertThat(calls()).isEqualTo(before);
    }

    @Test
    void aFullHitCostsOneCheckAndTheNextLookupNone() {
        List<PromptChunk> chain = TestChains.chain(1000, 512, 1);
        storedAndTold(chain);

        assertThat(cachedBlocks(reader, chain)).isEqualTo(1000);
        assertThat(calls("exists")).isEqualTo(1);
        double before = calls();

        assertThat(cachedBlocks(reader, chain)).isEqualTo(1000);
        assertThat(calls()).isEqualTo(before);
    }

    @Test
    void aPromptStoredInPartCostsOneCheck() {
        List<PromptChunk> chain = TestChains.chain(1000, 512, 1);
        storedAndTold(chain.subList(0, 370));

        assertThat(cachedBlocks(reader, chain)).isEqualTo(370);

        assertThat(calls("exists")).isEqualTo(1);
    }

    @Test
    void blocksThatStorageHasLostCostALogarithmOfChecks() {
        List<PromptChunk> chain = TestChains.chain(1000, 512, 1);
        storedAndTold(chain);
        chain.subList(370, 1000).forEach(chunk -> blobs.lose(blob(chunk)));

        assertThat(cachedBlocks(reader, chain)).isEqualTo(370);

        assertThat(calls("exists")).isLessThanOrEqualTo(11); // ceil(log2 1000) + 1
    }

    @Test
    void aLengthThatIsExpectedCostsTwoHeadersTheNextLookupNothingAndAnotherLengthOneHeader() {
        List<PromptChunk> chain = TestChains.chain(1000, 512, 1);
        storedAndTold(chain);
        double before = calls("exists");

        assertThat(cachedBlocks(reader, chain, 512)).isEqualTo(1000);
        assertThat(calls("get_range")).isEqualTo(2);
        assertThat(calls("exists")).isEqualTo(before);
        double after = calls();

        assertThat(cachedBlocks(reader, chain, 512)).isEqualTo(1000);
        assertThat(calls()).isEqualTo(after);

        // The block may have been stored anew since, with another length.
        assertThat(cachedBlocks(reader, chain, 513)).isZero();
        assertThat(calls()).isEqualTo(after + 1);
    }

    @Test
    void aBlockInTheMiddleOfAnotherLengthIsFoundByReadingItAndCountsNoMore() {
        List<PromptChunk> chain = new ArrayList<>(TestChains.chain(20, 512, 1));
        chain.set(10, TestChains.withBuffer(chain.get(10), TestChains.buffer(600, 1)));
        List<ByteString> locations = storedAndTold(chain);
        assertThat(cachedBlocks(reader, chain, 512)).isEqualTo(20);

        StreamingReadRequest request = StreamingReadRequest.newBuilder()
                .setResourceName(DataPlaneFixture.RESOURCE)
                .addAllLocations(locations)
                .setExpectedBytes(512)
                .build();
        assertThat(StreamCalls.read(reader, request).items())
                .filteredOn(part -> part.getStatus().getCode() == 9)
                .singleElement()
                .satisfies(part -> assertThat(part.getIndex()).isEqualTo(10));

        assertThat(cachedBlocks(reader, chain, 512)).isEqualTo(10);
    }

    @Test
    void aHoleIsNotFoundOnReadingAndBelievedNoMore() {
        List<PromptChunk> chain = TestChains.chain(20, 512, 1);
        List<ByteString> locations = storedAndTold(chain);
        blobs.lose(blob(chain.get(10)));
        assertThat(cachedBlocks(reader, chain)).isEqualTo(20);

        assertThat(StreamCalls.read(reader, locations, 0).items())
                .filteredOn(part -> part.getStatus().getCode() == 5)
                .singleElement()
                .satisfies(part -> assertThat(part.getIndex()).isEqualTo(10));

        assertThat(cachedBlocks(reader, chain)).isEqualTo(10);
    }

    @Test
    void aHoleThatIsFilledIsBelievedAgain() {
        List<PromptChunk> chain = TestChains.chain(20, 512, 1);
        List<ByteString> locations = storedAndTold(chain);
        blobs.lose(blob(chain.get(10)));
        StreamCalls.read(reader, locations, 0);

        MainJobContract.writeAll(reader, chain.subList(10, 11));

        assertThat(cachedBlocks(reader, chain)).isEqualTo(20);
    }

    @Test
    void whatAnotherProcessStoresIsFoundWithinThirtySeconds() {
        storedAndTold(TestChains.chain(1, 512, 2));
        List<PromptChunk> chain = TestChains.chain(5, 512, 1);
        cachedBlocks(reader, chain);

        MainJobContract.writeAll(writer, chain);
        for (int i = 0; i < 6; i++) {
            reader.advance(Presence.BEAT);
            writer.beat();
        }

        assertThat(cachedBlocks(reader, chain)).isEqualTo(5);
    }

    @Test
    void aNewProcessKnowsFiftyThousandBlocksWithoutListingThem() {
        List<List<PromptChunk>> chains = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            chains.add(TestChains.chain(1000, 512, 100 + i));
            storedAndTold(chains.getLast());
        }

        int before = blobs.listed().size();

        try (DataPlaneFixture started = start(blobs)) {
            assertThat(chains)
                    .allSatisfy(
                            chain -> assertThat(cachedBlocks(started, chain)).isEqualTo(1000));
            assertThat(cachedBlocks(started, TestChains.chain(1000, 512, 99))).isZero();
            assertThat(started.meters()
                            .get("kvstore.presence.load.duration")
                            .timer()
                            .count())
                    .isEqualTo(1);
        }
        assertThat(blobs.listed().subList(before, blobs.listed().size()))
                .isNotEmpty()
                .allMatch(prefix -> prefix.contains("/presence/"));
    }

    private List<ByteString> storedAndTold(List<PromptChunk> chain) {
        List<ByteString> locations = MainJobContract.writeAll(writer, chain);
        writer.beat();
        writer.advance(Duration.ofSeconds(10));
        writer.beat(); // and has come to rest
        return locations;
    }

    private static int cachedBlocks(DataPlaneFixture server, List<PromptChunk> chain) {
        return server.stub().lookup(MainJobContract.lookup(chain)).getCachedBlocks();
    }

    private static int cachedBlocks(DataPlaneFixture server, List<PromptChunk> chain, long expectedBytes) {
        return server.stub()
                .lookup(MainJobContract.lookup(chain).toBuilder()
                        .setExpectedBytes(expectedBytes)
                        .build())
                .getCachedBlocks();
    }

    private static String blob(PromptChunk chunk) {
        Location location = new Location(TestChains.PARTITION.root(), WireNames.hash(chunk.getHash()));
        return BlockKey.of(LOCATION, location).blobName();
    }

    private double calls(String operation) {
        Counter counter =
                meters.find("kvstore.storage.calls").tag("operation", operation).counter();
        return counter == null ? 0 : counter.count();
    }

    private double calls() {
        return meters.find("kvstore.storage.calls").counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }
}
