package dev.kvstore.dataplane.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.BadRequest;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.call.ServiceLimits;
import dev.kvstore.dataplane.server.DataPlaneFixture;
import dev.kvstore.dataplane.storage.filesystem.FilesystemStore;
import dev.kvstore.protocol.block.Location;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.v1.LookupAllRequest;
import dev.kvstore.protocol.v1.LookupRequest;
import dev.kvstore.protocol.v1.PartitionQuery;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.protocol.v1.ReadRequest;
import dev.kvstore.protocol.v1.WriteRequest;
import dev.kvstore.protocol.v1.WriteResponse;
import dev.kvstore.protocol.wire.ServerInfo;
import dev.kvstore.protocol.wire.WireNames;
import dev.kvstore.testing.IdentityEncoding;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bad input of unary calls: a clear code, a message naming the field, and a server that goes on serving. */
@Tag("slow")
final class BadInputTest {
    private static final String RESOURCE = DataPlaneFixture.RESOURCE;

    private final PromptChunk good = TestChains.first(TestChains.buffer(1000, 1), 1);

    @TempDir
    private Path directory;

    private DataPlaneFixture server;

    @BeforeEach
    void start() {
        server = new DataPlaneFixture(
                new StorageLocation.Filesystem(directory),
                location -> FilesystemStore.open(directory, InstantSource.system()));
    }

    @AfterEach
    void stillServesAndHoldsNothing() {
        try {
            WriteResponse written = server.stub().write(TestChains.write(RESOURCE, good));
            assertThat(MainJobContract.read(server, written.getLocation())).isEqualTo(good);
            Awaitility.await().untilAsserted(() -> {
                assertThat(server.transferBytes()).isZero();
                assertThat(server.inboundBytes()).isZero();
            });
        } finally {
            server.close();
        }
    }

    @Test
    void aCallMaySayThatItIsNotCompressed() {
        ManagedChannel channel = IdentityEncoding.channel("localhost:" + server.port());
        try {
            assertThatCode(() -> server.stub(channel).write(TestChains.write(RESOURCE, good)))
                    .doesNotThrowAnyException();
        } finally {
            channel.shutdownNow();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "a/b", "..", "a..b", ".", "-a", "a\u0000b", "a\nb", "résumé", "名", "a b"})
    void aResourceNameOfTheWrongShape(String name) {
        assertInvalid(
                "resource_name",
                () -> server.stub()
                        .lookup(LookupRequest.newBuilder()
                                .setResourceName(name)
                                .setPartition("p")
                                .build()));
    }

    @Test
    void anOverlongResourceName() {
        assertInvalid(
                "resource_name",
                () -> server.stub()
                        .lookup(LookupRequest.newBuilder()
                                .setResourceName("a".repeat(64))
                                .setPartition("p")
                                .build()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a\u0000b", "a\u001fb", "a\u007fb"})
    void aPartitionOfTheWrongShape(String partition) {
        assertInvalid(
                "partition",
                () -> server.stub()
                        .lookup(LookupRequest.newBuilder()
                                .setResourceName(RESOURCE)
                                .setPartition(partition)
                                .build()));
    }

    @Test
    void anOverlongPartition() {
        assertInvalid(
                "partition",
                () -> server.stub()
                        .lookup(LookupRequest.newBuilder()
                                .setResourceName(RESOURCE)
                                .setPartition("é".repeat(257))
                                .build()));
    }

    @ParameterizedTest
    @ValueSource(longs = {(64L << 20) + 1, 1L << 32, -1})
    void anExpectedLengthThatNoBlockHas(long bytes) {
        assertInvalid(
                "expected_bytes",
                () -> server.stub()
                        .lookup(LookupRequest.newBuilder()
                                .setResourceName(RESOURCE)
                                .setPartition("p")
                                .setExpectedBytes(bytes)
                                .build()));
        assertInvalid(
                "expected_bytes",
                () -> server.stub()
                        .read(ReadRequest.newBuilder()
                                .setResourceName(RESOURCE)
                                .setLocation(WireNames.field(
                                        new Location(TestChains.PARTITION.root(), WireNames.hash(good.getHash()))))
                                .setExpectedBytes(bytes)
                                .build()));
    }

    @Test
    void anUnknownResourceAndSomebodyElsesAreTheSameAnswer() {
        Status unknown = denied("nobodys");
        Status others = denied(DataPlaneFixture.OTHERS_RESOURCE);

        assertThat(unknown.getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(unknown.getDescription()).isEqualTo(others.getDescription()).contains("resource_name");
    }

    private Status denied(String resource) {
        return refusal(() -> server.stub().write(TestChains.write(resource, good)))
                .getStatus();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kv_0a1b2c3d_wrong-secret",
                "kv_ffffffff_" + "x",
                "kv_0a1b2c3d",
                "nonsense",
                "kv__",
                "kv_0a1b2c3d_not-a-secret-since-it-stands-here "
            })
    void aWrongKey(String key) {
        String sent = key.strip() + (key.endsWith(" ") ? "x" : "");

        Status status = refusal(() -> server.stub(sent).write(TestChains.write(RESOURCE, good)))
                .getStatus();

        assertThat(status.getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
        assertThat(status.getDescription()).contains("authorization").doesNotContain(sent);
    }

    @Test
    void noKey() {
        StatusRuntimeException refusal = refusal(() -> server.stubWithoutKey().write(TestChains.write(RESOURCE, good)));

        assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
    }

    @Test
    void evenARefusalSaysWhoAnswers() {
        Metadata trailers = refusal(() -> server.stubWithoutKey().write(TestChains.write(RESOURCE, good)))
                .getTrailers();

        assertThat(trailers).isNotNull();
        assertThat(trailers.get(ServerInfo.VERSION)).isEqualTo("test");
        assertThat(trailers.get(ServerInfo.MAX_BLOCK_BYTES)).isEqualTo("67108864");
    }

    @Test
    void aHashThatIsNotTheBlocks() {
        ByteString wrong = TestChains.first(TestChains.buffer(1, 2), 2).getHash();

        assertInvalid("chunk.hash", () -> write(good.toBuilder().setHash(wrong)));
    }

    @Test
    void aHashOfTheWrongLength() {
        assertInvalid("chunk.hash", () -> write(good.toBuilder().setHash(ByteString.copyFromUtf8("short"))));
    }

    @Test
    void aParentOfTheWrongLength() {
        assertInvalid(
                "chunk.parent_hash", () -> write(good.toBuilder().setParentHash(ByteString.copyFromUtf8("short"))));
    }

    @Test
    void aWrongChecksum() {
        assertInvalid("chunk.crc32c", () -> write(good.toBuilder().setCrc32C(good.getCrc32C() + 1)));
    }

    @Test
    void aMissingChecksum() {
        assertInvalid("chunk.crc32c", () -> write(good.toBuilder().clearCrc32C()));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 127, 129})
    void aTokenCountThatIsNoBlock(int tokens) {
        PromptChunk.Builder chunk = good.toBuilder().clearTokens().clearHash();
        for (int i = 0; i < tokens; i++) {
            chunk.addTokens(i);
        }
        assertInvalid("chunk.tokens", () -> write(chunk));
    }

    @Test
    void blockTokensOutOfRange() {
        assertInvalid(
                "block_tokens",
                () -> server.stub()
                        .write(TestChains.write(RESOURCE, good).toBuilder()
                                .setBlockTokens(8193)
                                .build()));
    }

    @Test
    void anEmptyBuffer() {
        assertInvalid("chunk.buffer", () -> write(good.toBuilder().setBuffer(ByteString.EMPTY)));
    }

    @Test
    void aBufferOneByteTooLong() {
        assertInvalid("chunk.buffer", () -> write(TestChains.first(new byte[(64 << 20) + 1], 1).toBuilder()));
    }

    @Test
    void anExtraThatIsTooLong() {
        assertInvalid("chunk.extra", () -> write(good.toBuilder().setExtra(ByteString.copyFrom(new byte[65_537]))));
    }

    @Test
    void noChunkAtAll() {
        assertInvalid(
                "chunk.crc32c",
                () -> server.stub()
                        .write(WriteRequest.newBuilder()
                                .setResourceName(RESOURCE)
                                .setPartition("p")
                                .build()));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 64, 66, 4096})
    void aMangledLocation(int bytes) {
        assertInvalid("location", () -> read(ByteString.copyFrom(new byte[bytes])));
    }

    @Test
    void aLocationOfAnotherVersion() {
        assertInvalid("location", () -> read(ByteString.copyFrom(new byte[Location.BYTES])));
    }

    @Test
    void aForeignLocationIsNotFound() {
        Location foreign = new Location(Partition.of("somebody else's").root(), WireNames.hash(good.getHash()));

        assertThat(refusal(() -> read(WireNames.field(foreign))).getStatus().getCode())
                .isEqualTo(Status.Code.NOT_FOUND);
    }

    @Test
    void hashesThatAreNoMultipleOf32Bytes() {
        assertInvalid(
                "block_hashes",
                () -> server.stub()
                        .lookup(lookup().setBlockHashes(ByteString.copyFrom(new byte[33]))
                                .build()));
    }

    @Test
    void tokensAndHashesTogether() {
        assertInvalid(
                "block_hashes",
                () -> server.stub()
                        .lookup(lookup().setBlockHashes(good.getHash())
                                .addTokens(1)
                                .build()));
    }

    @Test
    void moreBlocksThanALookupTakes() {
        ByteString hashes = ByteString.copyFrom(new byte[32 * (ServiceLimits.LOOKUP_BLOCKS + 1)]);

        assertInvalid(
                "block_hashes",
                () -> server.stub().lookup(lookup().setBlockHashes(hashes).build()));
    }

    @Test
    void extrasThatDoNotFitTheBlocks() {
        assertInvalid(
                "extras",
                () -> server.stub()
                        .lookup(lookup().addAllTokens(good.getTokensList())
                                .addExtras(ByteString.EMPTY)
                                .addExtras(ByteString.EMPTY)
                                .build()));
    }

    @Test
    void extrasTogetherWithHashes() {
        assertInvalid(
                "extras",
                () -> server.stub()
                        .lookup(lookup().setBlockHashes(good.getHash())
                                .addExtras(ByteString.EMPTY)
                                .build()));
    }

    @Test
    void anExtraOfALookupThatIsTooLong() {
        assertInvalid(
                "extras",
                () -> server.stub()
                        .lookup(lookup().addAllTokens(good.getTokensList())
                                .addExtras(ByteString.copyFrom(new byte[65_537]))
                                .build()));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 65})
    void noPartitionsAndTooMany(int partitions) {
        LookupAllRequest.Builder request = LookupAllRequest.newBuilder().setResourceName(RESOURCE);
        for (int i = 0; i < partitions; i++) {
            request.addPartitions(PartitionQuery.newBuilder().setPartition("p" + i));
        }
        assertInvalid("partitions", () -> server.stub().lookupAll(request.build()));
    }

    @Test
    void moreBlocksThanALookupTakesOverAllItsPartitions() {
        ByteString half = ByteString.copyFrom(new byte[32 * (ServiceLimits.LOOKUP_BLOCKS / 2 + 1)]);
        LookupAllRequest.Builder hashes = LookupAllRequest.newBuilder().setResourceName(RESOURCE);
        LookupAllRequest.Builder tokens = LookupAllRequest.newBuilder()
                .setResourceName(RESOURCE)
                .setBlockTokens(1)
                .addAllTokens(Collections.nCopies(ServiceLimits.LOOKUP_BLOCKS / 2 + 1, 7));
        for (String partition : List.of("p", "q")) {
            hashes.addPartitionsBuilder().setPartition(partition).setBlockHashes(half);
            tokens.addPartitionsBuilder().setPartition(partition);
        }

        assertInvalid("partitions.block_hashes", () -> server.stub().lookupAll(hashes.build()));
        assertInvalid("tokens", () -> server.stub().lookupAll(tokens.build()));
    }

    /** Few blocks of many tokens: the server would hash 64 times the bytes that it was sent. */
    @Test
    void moreTokensThanALookupHashesOverAllItsPartitions() {
        LookupAllRequest.Builder request = LookupAllRequest.newBuilder()
                .setResourceName(RESOURCE)
                .setBlockTokens(8_192)
                .addAllTokens(Collections.nCopies((int) (ServiceLimits.LOOKUP_ALL_TOKENS / 64) + 1, 7));
        for (int i = 0; i < 64; i++) {
            request.addPartitionsBuilder().setPartition("p" + i);
        }

        assertInvalid("tokens", () -> server.stub().lookupAll(request.build()));
    }

    @Test
    void tokensAndHashesOfOneOfSeveralPartitionsTogether() {
        LookupAllRequest.Builder request = LookupAllRequest.newBuilder()
                .setResourceName(RESOURCE)
                .addAllTokens(good.getTokensList())
                .addPartitions(PartitionQuery.newBuilder().setPartition("p"))
                .addPartitions(PartitionQuery.newBuilder().setPartition("q").setBlockHashes(good.getHash()));
        assertInvalid("partitions.block_hashes", () -> server.stub().lookupAll(request.build()));
    }

    @Test
    void oneOfSeveralPartitionsWithoutAName() {
        LookupAllRequest.Builder request = LookupAllRequest.newBuilder()
                .setResourceName(RESOURCE)
                .addPartitions(PartitionQuery.newBuilder().setPartition("p"))
                .addPartitions(PartitionQuery.getDefaultInstance());
        assertInvalid("partition", () -> server.stub().lookupAll(request.build()));
    }

    private static LookupRequest.Builder lookup() {
        return LookupRequest.newBuilder().setResourceName(RESOURCE).setPartition("p");
    }

    private WriteResponse write(PromptChunk.Builder chunk) {
        return server.stub().write(TestChains.write(RESOURCE, chunk.build()));
    }

    private Object read(ByteString location) {
        return server.stub()
                .read(ReadRequest.newBuilder()
                        .setResourceName(RESOURCE)
                        .setLocation(location)
                        .build());
    }

    private static void assertInvalid(String field, ThrowingCallable call) {
        StatusRuntimeException refusal = refusal(call);
        assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(refusal.getStatus().getDescription()).startsWith(field + ": ");
        assertThat(violation(refusal).getField()).isEqualTo(field);
    }

    private static StatusRuntimeException refusal(ThrowingCallable call) {
        StatusRuntimeException refusal = catchThrowableOfType(StatusRuntimeException.class, call);
        assertThat(refusal).as("refusal").isNotNull();
        return refusal;
    }

    private static BadRequest.FieldViolation violation(StatusRuntimeException refusal) {
        com.google.rpc.Status status = StatusProto.fromThrowable(refusal);
        assertThat(status).isNotNull();
        Any details = status.getDetails(0);
        try {
            return details.unpack(BadRequest.class).getFieldViolations(0);
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError("details are not a BadRequest", e);
        }
    }
}
