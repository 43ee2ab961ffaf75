package dev.kvstore.dataplane.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.server.DataPlaneFixture;
import dev.kvstore.protocol.block.Location;
import dev.kvstore.protocol.format.Crc32c;
import dev.kvstore.protocol.v1.LookupAllRequest;
import dev.kvstore.protocol.v1.LookupAllResponse;
import dev.kvstore.protocol.v1.LookupRequest;
import dev.kvstore.protocol.v1.LookupResponse;
import dev.kvstore.protocol.v1.PartitionPrefix;
import dev.kvstore.protocol.v1.PartitionQuery;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.v1.ReadPart;
import dev.kvstore.protocol.v1.ReadRequest;
import dev.kvstore.protocol.v1.StreamingReadRequest;
import dev.kvstore.protocol.v1.WritePart;
import dev.kvstore.protocol.v1.WriteResponse;
import dev.kvstore.protocol.v1.WriteResult;
import dev.kvstore.protocol.wire.WireNames;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The main job over the wire: what is written is found, and comes back byte for byte, whatever backend lies behind. */
abstract class MainJobContract {
    private static final int SEGMENT = 128 * 1024;

    /** Two data planes on one storage, as two processes would be. */
    private DataPlaneFixture first;

    private DataPlaneFixture second;

    /** A data plane on the storage of this test. */
    abstract DataPlaneFixture start(Map<String, String> settings);

    /** Closes the stores, which the data planes used to their end. */
    void closeStores() {}

    @BeforeEach
    void startBoth() {
        first = start(Map.of());
        second = start(Map.of());
    }

    @AfterEach
    void everyByteIsGivenBack() {
        try {
            Awaitility.await().untilAsserted(() -> {
                assertThat(first.transferBytes()).isZero();
                assertThat(first.inboundBytes()).isZero();
                assertThat(second.transferBytes()).isZero();
                assertThat(second.inboundBytes()).isZero();
            });
        } finally {
            first.close();
            second.close();
            closeStores();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {512, 1_200_000, 16 << 20, 64 << 20})
    void aBlockWrittenAtOnceIsReadAtOnceByAnotherProcess(int bytes) {
        PromptChunk chunk = TestChains.first(TestChains.buffer(bytes, 1), 1);

        WriteResponse written = first.stub().write(TestChains.write(DataPlaneFixture.RESOURCE, chunk));

        assertThat(written.getOutcome()).isEqualTo(WriteResponse.Outcome.STORED);
        assertThat(read(second, written.getLocation())).isEqualTo(chunk);
    }

    @ParameterizedTest
    @ValueSource(ints = {512, 1_200_000, 16 << 20, 64 << 20})
    void aBlockWrittenInPartsIsReadInPartsByAnotherProcess(int bytes) {
        PromptChunk chunk = TestChains.first(TestChains.buffer(bytes, 2), 2);

        StreamCalls.StreamOutcome<WriteResult> written =
                StreamCalls.write(first, TestChains.parts(0, chunk, 2 * SEGMENT));

        assertThat(written.status().isOk()).isTrue();
        assertThat(written.items())
                .singleElement()
                .satisfies(
                        result -> assertThat(result.getWrite().getOutcome()).isEqualTo(WriteResponse.Outcome.STORED));
        ByteString location = written.items().getFirst().getWrite().getLocation();
        List<ReadPart> parts =
                StreamCalls.read(second, List.of(location), 2 * SEGMENT).items();
        assertThat(StreamCalls.buffers(parts)).containsExactly(Map.entry(0, chunk.getBuffer()));
        assertThat(parts.getFirst().getHead().getTokensList()).isEqualTo(chunk.getTokensList());
        assertThat(parts)
                .allSatisfy(part -> assertThat(part.getCrc32C())
                        .isEqualTo(Crc32c.of(part.getBytes().asReadOnlyByteBufferList())));
    }

    @Test
    void aPromptIsFoundUpToItsLastStoredBlock() {
        List<PromptChunk> chain = TestChains.chain(5, 512, 3);
        writeAll(first, chain.subList(0, 3));
        first.beat();

        LookupResponse found = second.stub().lookup(lookup(chain));

        assertThat(found.getCachedBlocks()).isEqualTo(3);
        assertThat(found.getLastHash()).isEqualTo(chain.get(2).getHash());
        assertThat(found.getLocationsList()).hasSize(3);
    }

    @Test
    void tokensAndTheirHashesFindTheSame() {
        List<PromptChunk> chain = TestChains.chain(4, 512, 4);
        writeAll(first, chain);
        first.beat();

        LookupRequest byTokens = lookup(chain).toBuilder()
                .clearBlockHashes()
                .addAllTokens(chain.stream()
                        .flatMap(chunk -> chunk.getTokensList().stream())
                        .toList())
                .build();

        assertThat(second.stub().lookup(byTokens)).isEqualTo(second.stub().lookup(lookup(chain)));
    }

    @Test
    void nothingStoredIsAnEmptyPrefixAfterTheRoot() {
        LookupResponse found = first.stub().lookup(lookup(TestChains.chain(3, 512, 5)));

        assertThat(found.getCachedBlocks()).isZero();
        assertThat(found.getLastHash()).isEqualTo(WireNames.field(TestChains.PARTITION.root()));
    }

    @Test
    void manyBlocksComeBackInTheOrderTheyWereAskedFor() {
        List<PromptChunk> chain = TestChains.chain(40, 70_000, 6);
        List<ByteString> locations = new ArrayList<>(writeAll(first, chain));
        Collections.reverse(locations);

        StreamCalls.StreamOutcome<ReadPart> read = StreamCalls.read(second, locations, SEGMENT);

        assertThat(read.status().isOk()).isTrue();
        Map<Integer, ByteString> buffers = StreamCalls.buffers(read.items());
        assertThat(buffers).hasSize(40);
        buffers.forEach((index, buffer) ->
                assertThat(buffer).isEqualTo(chain.get(39 - index).getBuffer()));
    }

    @Test
    void aBlockThatIsNotThereIsAnItemWithItsOwnStatus() {
        List<PromptChunk> chain = TestChains.chain(3, 512, 7);
        List<ByteString> there = writeAll(first, chain.subList(0, 2));
        ByteString absent = WireNames.field(new Location(
                TestChains.PARTITION.root(), WireNames.hash(chain.get(2).getHash())));

        StreamCalls.StreamOutcome<ReadPart> read =
                StreamCalls.read(second, List.of(there.get(0), absent, there.get(1)), 0);

        assertThat(read.status().isOk()).isTrue();
        assertThat(read.items()).extracting(part -> part.getStatus().getCode()).containsExactly(0, 5, 0);
    }

    @Test
    void theFirstBytesStandAndTheSecondWriterIsTold() {
        PromptChunk mine = TestChains.first(TestChains.buffer(5000, 8), 8);
        PromptChunk theirs = TestChains.first(TestChains.buffer(5000, 9), 8);
        ByteString location = writeAll(first, List.of(mine)).getFirst();

        WriteResponse second = this.second.stub().write(TestChains.write(DataPlaneFixture.RESOURCE, theirs));

        assertThat(second.getOutcome()).isEqualTo(WriteResponse.Outcome.ALREADY_PRESENT);
        assertThat(second.getStoredCrc32C()).isEqualTo(mine.getCrc32C()).isNotEqualTo(theirs.getCrc32C());
        assertThat(second.getStoredBytes()).isEqualTo(5000);
        assertThat(read(this.second, location)).isEqualTo(mine);
    }

    @Test
    void aBlockOfAnotherLengthUnderAStoredNameIsRefusedWhereverTheStoredOneLies() {
        PromptChunk mine = TestChains.first(TestChains.buffer(5000, 8), 8);
        PromptChunk theirs = TestChains.first(TestChains.buffer(6000, 9), 8);
        ByteString location = writeAll(first, List.of(mine)).getFirst();

        for (DataPlaneFixture dataPlane : List.of(first, second)) {
            assertThatThrownBy(() -> dataPlane.stub().write(TestChains.write(DataPlaneFixture.RESOURCE, theirs)))
                    .hasMessageStartingWith(
                            "FAILED_PRECONDITION: buffer: the block is stored with 5000 bytes, and this one has 6000");
            assertThat(read(dataPlane, location)).isEqualTo(mine);
        }
    }

    @Test
    void aLookupCountsNoBlockOfAnotherLengthThanExpected() {
        List<PromptChunk> chain = TestChains.chain(4, 5000, 10);
        writeAll(first, chain);
        first.beat();

        for (DataPlaneFixture dataPlane : List.of(first, second)) {
            assertThat(cachedBlocks(dataPlane, chain, 9096)).isZero(); // a page more, as a longer header would be
            assertThat(cachedBlocks(dataPlane, chain, 5000)).isEqualTo(4);
            assertThat(cachedBlocks(dataPlane, chain, 0)).isEqualTo(4);
        }
    }

    @Test
    void aPromptThatTwoLayoutsSharedIsAPrefixForTheFirstOfThemAlone() {
        List<PromptChunk> chain = TestChains.chain(8, 5000, 11);
        writeAll(first, chain.subList(0, 4));
        List<PromptChunk> others = new ArrayList<>();
        for (PromptChunk chunk : chain.subList(4, 8)) {
            others.add(TestChains.withBuffer(chunk, TestChains.buffer(6000, 1)));
        }
        writeAll(first, others);
        first.beat();

        for (DataPlaneFixture dataPlane : List.of(first, second)) {
            assertThat(cachedBlocks(dataPlane, chain, 5000)).isEqualTo(4);
            assertThat(cachedBlocks(dataPlane, chain, 6000)).isZero();
            assertThat(cachedBlocks(dataPlane, chain, 0)).isEqualTo(8);
        }
    }

    @Test
    void aBlockOfAnotherLengthThanExpectedIsRefusedWithBothLengths() {
        List<PromptChunk> chain = TestChains.chain(2, 5000, 12);
        List<ByteString> locations = writeAll(first, chain);
        ReadRequest.Builder read = ReadRequest.newBuilder()
                .setResourceName(DataPlaneFixture.RESOURCE)
                .setLocation(locations.getFirst());

        for (DataPlaneFixture dataPlane : List.of(second, first, second)) { // from storage, and from memory twice
            assertThatThrownBy(() ->
                            dataPlane.stub().read(read.setExpectedBytes(6000).build()))
                    .hasMessageStartingWith("FAILED_PRECONDITION: expected_bytes: the block is stored with 5000 bytes,"
                            + " and 6000 are expected");
            assertThat(dataPlane
                            .stub()
                            .read(read.setExpectedBytes(5000).build())
                            .getChunk()
                            .getBuffer())
                    .isEqualTo(chain.getFirst().getBuffer());
        }
    }

    @Test
    void aStreamRefusesTheBlocksOfAMessageThatHaveAnotherLengthThanItExpects() {
        List<PromptChunk> chain = TestChains.chain(2, 5000, 13);
        List<ByteString> locations = writeAll(first, chain);
        StreamingReadRequest any = StreamingReadRequest.newBuilder()
                .setResourceName(DataPlaneFixture.RESOURCE)
                .addAllLocations(locations)
                .build();

        StreamCalls.StreamOutcome<ReadPart> read = StreamCalls.read(
                second,
                any.toBuilder().setExpectedBytes(6000).build(),
                any,
                any.toBuilder().setExpectedBytes(5000).build());

        assertThat(read.status().isOk()).isTrue();
        assertThat(read.items()).extracting(part -> part.getStatus().getCode()).containsExactly(9, 9, 0, 0, 0, 0);
        assertThat(read.items().getFirst().getStatus().getMessage())
                .startsWith("expected_bytes: the block is stored with 5000 bytes, and 6000 are expected");
        assertThat(read.items().getFirst().getBytes().isEmpty()).isTrue();
    }

    @Test
    void severalPartitionsAreLookedUpAtOnceWithTheLengthThatAllOfThemHave() {
        List<PromptChunk> chain = TestChains.chain(5, 512, 14);
        writeAll(first, chain);
        PromptChunk other = TestChains.in("rank1", TestChains.buffer(600, 1), 14);
        first.stub().write(TestChains.write(DataPlaneFixture.RESOURCE, "rank1", other));
        first.beat();
        LookupAllRequest.Builder request = lookupAll(chain, other);

        for (DataPlaneFixture dataPlane : List.of(first, second)) {
            LookupAllResponse found = dataPlane.stub().lookupAll(request.build());

            assertThat(found.getCachedBlocks()).isEqualTo(1);
            assertThat(found.getPartitionsList())
                    .extracting(PartitionPrefix::getCachedBlocks)
                    .containsExactly(5, 1);
            assertThat(found.getPartitions(0).getLastHash())
                    .isEqualTo(chain.getLast().getHash());
            assertThat(found.getPartitions(0).getLocationsList())
                    .isEqualTo(dataPlane.stub().lookup(lookup(chain)).getLocationsList());
            assertThat(found.getPartitions(1).getLastHash()).isEqualTo(other.getHash());
            assertThat(found.getPartitions(1).getLocationsCount()).isEqualTo(1);
        }
    }

    @Test
    void onePromptOfTokensIsLookedUpInEachOfSeveralPartitions() {
        PromptChunk mine = TestChains.first(TestChains.buffer(512, 1), 15);
        PromptChunk other = TestChains.in("rank1", TestChains.buffer(600, 1), 15);
        writeAll(first, List.of(mine));
        first.stub().write(TestChains.write(DataPlaneFixture.RESOURCE, "rank1", other));
        first.beat();
        LookupAllRequest.Builder byHashes = lookupAll(List.of(mine), other).setOmitLocations(true);
        LookupAllRequest.Builder byTokens = byHashes.clone().addAllTokens(mine.getTokensList());
        byTokens.getPartitionsBuilderList().forEach(PartitionQuery.Builder::clearBlockHashes);

        LookupAllResponse found = second.stub().lookupAll(byTokens.build());

        assertThat(found.getCachedBlocks()).isEqualTo(1);
        assertThat(found.getPartitions(0).getLocationsList()).isEmpty();
        assertThat(found).isEqualTo(second.stub().lookupAll(byHashes.build()));
    }

    @Test
    void eachOfSeveralPartitionsMayExpectItsOwnLength() {
        List<PromptChunk> chain = TestChains.chain(2, 512, 16);
        writeAll(first, chain);
        PromptChunk other = TestChains.in("rank1", TestChains.buffer(600, 1), 16);
        first.stub().write(TestChains.write(DataPlaneFixture.RESOURCE, "rank1", other));
        first.beat();
        LookupAllRequest.Builder request = lookupAll(chain, other);
        request.getPartitionsBuilder(0).setExpectedBytes(512);
        request.getPartitionsBuilder(1).setExpectedBytes(600);

        assertThat(second.stub().lookupAll(request.build()).getPartitionsList())
                .extracting(PartitionPrefix::getCachedBlocks)
                .containsExactly(2, 1);
        request.getPartitionsBuilder(1).setExpectedBytes(512);
        LookupAllResponse found = second.stub().lookupAll(request.build());

        assertThat(found.getPartitionsList())
                .extracting(PartitionPrefix::getCachedBlocks)
                .containsExactly(2, 0);
        assertThat(found.getCachedBlocks()).isZero();
    }

    /** A prompt in the usual partition, and the first block of another one in {@code rank1}. */
    private static LookupAllRequest.Builder lookupAll(List<PromptChunk> chain, PromptChunk other) {
        return LookupAllRequest.newBuilder()
                .setResourceName(DataPlaneFixture.RESOURCE)
                .addPartitions(PartitionQuery.newBuilder()
                        .setPartition(TestChains.PARTITION.name())
                        .setBlockHashes(TestChains.hashes(chain)))
                .addPartitions(PartitionQuery.newBuilder().setPartition("rank1").setBlockHashes(other.getHash()));
    }

    private static int cachedBlocks(DataPlaneFixture dataPlane, List<PromptChunk> chain, long expectedBytes) {
        return dataPlane
                .stub()
                .lookup(lookup(chain).toBuilder()
                        .setExpectedBytes(expectedBytes)
                        .build())
                .getCachedBlocks();
    }

    static LookupRequest lookup(List<PromptChunk> chain) {
        return LookupRequest.newBuilder()
                .setResourceName(DataPlaneFixture.RESOURCE)
                .setPartition(TestChains.PARTITION.name())
                .setBlockHashes(TestChains.hashes(chain))
                .build();
    }

    /** The block as it was written. */
    static PromptChunk read(DataPlaneFixture server, ByteString location) {
        return server
                .stub()
                .read(ReadRequest.newBuilder()
                        .setResourceName(DataPlaneFixture.RESOURCE)
                        .setLocation(location)
                        .build())
                .getChunk()
                .toBuilder()
                .clearWriter()
                .build();
    }

    static List<ByteString> writeAll(DataPlaneFixture server, List<PromptChunk> chain) {
        List<WritePart> parts = new ArrayList<>();
        for (int i = 0; i < chain.size(); i++) {
            parts.addAll(TestChains.parts(i, chain.get(i), SEGMENT));
        }
        StreamCalls.StreamOutcome<WriteResult> written = StreamCalls.write(server, parts);
        assertThat(written.status().isOk()).isTrue();
        return written.items().stream()
                .map(result -> result.getWrite().getLocation())
                .toList();
    }
}
