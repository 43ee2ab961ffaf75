package dev.kvstore.endtoend;

import static dev.kvstore.endtoend.Neighbours.GUEST;
import static dev.kvstore.endtoend.Neighbours.GUESTS;
import static dev.kvstore.endtoend.Neighbours.OWNER;
import static dev.kvstore.endtoend.Neighbours.PRIVATE;
import static dev.kvstore.endtoend.Neighbours.SHARED;
import static dev.kvstore.endtoend.Neighbours.STORED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.kvstore.protocol.v1.LookupResponse;
import dev.kvstore.testing.RawCalls;
import dev.kvstore.testing.Reply;
import io.grpc.Status.Code;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Generated attempts of one tenant on another tenant's blocks, over gRPC: each is refused, and reveals nothing. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CrossTenantIT {
    private static final long SEED = 4;
    private static final int ATTEMPTS = 1_000;
    private static final Duration REFUSED_WITHIN = Duration.ofSeconds(5);
    private static final Duration SHORT = Duration.ofSeconds(2);

    /** An attempt and its end. */
    private record Tried(ForbiddenAttempt attempt, Reply reply) {}

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path folder;

    private final List<Tried> tried = new ArrayList<>();

    private final KvUp up = KvUp.shared();

    @SuppressWarnings("NullAway.Init")
    private Neighbours neighbours;

    @SuppressWarnings("NullAway.Init")
    private RawCalls calls;

    @SuppressWarnings("NullAway.Init")
    private String expired;

    @BeforeAll
    void tryEverything() throws InterruptedException {
        calls = new RawCalls(up.endpoints().getFirst());
        neighbours = new Neighbours(up.adminClient(), folder.resolve("storage"));
        store(neighbours.ownerKey(), SHARED, neighbours.granted);
        store(neighbours.ownerKey(), SHARED, neighbours.withheld);
        store(neighbours.ownerKey(), PRIVATE, neighbours.hidden);
        store(neighbours.guestKey(), GUESTS, neighbours.guests);
        String revoked = neighbours.key(OWNER, null);
        assertThat(lookup(revoked, PRIVATE, neighbours.hidden)).isEqualTo(STORED);
        neighbours.revoke(OWNER, revoked);
        assertThat(awaitRefusal(revoked, PRIVATE, neighbours.hidden)).isEqualTo(Code.UNAUTHENTICATED);
        expired = neighbours.key(OWNER, Instant.now().plus(SHORT));
        var _ = awaitRefusal(expired, PRIVATE, neighbours.hidden);
        Attempts attempts = new Attempts(neighbours, List.of(revoked), new SplittableRandom(SEED));
        for (int i = 0; i < ATTEMPTS; i++) {
            ForbiddenAttempt attempt = attempts.next();
            tried.add(new Tried(attempt, call(attempt)));
        }
    }

    @AfterAll
    void stop() {
        try (var _ = neighbours;
                var _ = calls) {
            tried.clear();
        }
    }

    private Reply call(ForbiddenAttempt attempt) {
        return calls.call(
                attempt.operation().method(),
                RawCalls.headers(attempt.authorization()),
                List.of(attempt.operation().request(attempt.target())));
    }

    private Reply call(String key, BlockOperation operation, BlockTarget target) {
        return calls.call(operation.method(), RawCalls.headers("Bearer " + key), List.of(operation.request(target)));
    }

    private void store(String key, String resource, TestPrompt prompt) {
        for (int block = 0; block < STORED; block++) {
            assertThat(call(key, BlockOperation.WRITE, BlockTarget.of(resource, prompt, block))
                            .code())
                    .isEqualTo(Code.OK);
        }
    }

    private int lookup(String key, String resource, TestPrompt prompt) {
        Reply reply = call(key, BlockOperation.LOOKUP, BlockTarget.of(resource, prompt, 0));
        assertThat(reply.code()).isEqualTo(Code.OK);
        try {
            return LookupResponse.parseFrom(reply.messages().getFirst()).getCachedBlocks();
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }

    /** Why a key that was good is not any more, once it is not. */
    private Code awaitRefusal(String key, String resource, TestPrompt prompt) {
        return await().atMost(REFUSED_WITHIN)
                .until(
                        () -> call(key, BlockOperation.LOOKUP, BlockTarget.of(resource, prompt, 0))
                                .code(),
                        code -> code != Code.OK);
    }

    /** The attempts of which the control plane was asked, and that it refused: those with a key of a key's form. */
    private List<ForbiddenAttempt> refused() {
        return tried.stream()
                .filter(one -> Set.of(Code.UNAUTHENTICATED, Code.PERMISSION_DENIED)
                        .contains(one.reply().code()))
                .map(Tried::attempt)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theMetricsOfBothProgramsAreListedInTheHandbook(boolean control) throws Exception {
        page(control).assertListed();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theMetricsOfBothProgramsKeepTheRulesOfPrometheus(boolean control) throws Exception {
        page(control).assertSound(folder);
    }

    private ScrapedMetrics page(boolean control) throws IOException {
        // A data plane's HTTP port is its gRPC port + 1000.
        URI grpc = URI.create("http://" + up.endpoints().getFirst());
        String program = control ? up.restUrl() : "http://" + grpc.getHost() + ":" + (grpc.getPort() + 1_000);
        return ScrapedMetrics.of(URI.create(program + "/q/metrics"));
    }

    @Test
    void everyAttemptEndsAsTheContractSays() {
        assertThat(tried).hasSizeGreaterThanOrEqualTo(600);
        assertThat(refused()).hasSizeGreaterThan(ATTEMPTS / 3);
        assertThat(tried)
                .as("seed %d", SEED)
                .allSatisfy(one -> assertThat(one.attempt().code(one.reply()))
                        .isEqualTo(one.attempt().expected()));
    }

    @Test
    void whatIsAnothersCannotBeToldFromWhatIsNotThere() {
        Map<String, Set<String>> told = new TreeMap<>();
        Map<String, Set<Boolean>> real = new TreeMap<>();
        for (Tried one : tried) {
            String group = one.attempt().kind() + " " + one.attempt().operation();
            told.computeIfAbsent(group, _ -> new TreeSet<>()).add(one.attempt().told(one.reply()));
            real.computeIfAbsent(group, _ -> new TreeSet<>()).add(one.attempt().real());
        }

        assertThat(real.values()).as("both were tried").allMatch(both -> both.size() == 2);
        assertThat(told)
                .as("seed %d", SEED)
                .allSatisfy((_, texts) -> assertThat(texts).hasSize(1));
    }

    @Test
    void theHolderOfAnExpiredKeyIsToldThatAndNothingElse() {
        Set<String> told = new TreeSet<>();
        for (BlockTarget target :
                List.of(BlockTarget.of(PRIVATE, neighbours.hidden, 0), BlockTarget.of("none", neighbours.hidden, 0))) {
            Reply reply = call(expired, BlockOperation.LOOKUP, target);
            assertThat(reply.code()).isEqualTo(Code.UNAUTHENTICATED);
            told.add(String.valueOf(reply.status().getDescription()));
        }
        String guessed = expired.substring(0, expired.length() - 1) + (expired.endsWith("a") ? "b" : "a");

        assertThat(told).singleElement().asString().contains("this API key has expired");
        assertThat(call(guessed, BlockOperation.LOOKUP, BlockTarget.of(PRIVATE, neighbours.hidden, 0))
                        .status()
                        .getDescription())
                .contains("missing, unknown or revoked");
    }

    @Test
    void oneTextIsForAllThatIsNotGranted() {
        assertThat(tried.stream()
                        .filter(one -> one.reply().code() == Code.PERMISSION_DENIED)
                        .map(one -> String.valueOf(one.reply().status().getDescription()))
                        .collect(Collectors.toSet()))
                .containsExactly("resource_name: does not exist, or is not granted to this API key");
    }

    @Test
    void noByteOfAnotherIsServed() {
        List<byte[]> stored = new ArrayList<>();
        for (TestPrompt prompt :
                List.of(neighbours.granted, neighbours.withheld, neighbours.hidden, neighbours.guests)) {
            for (int block = 0; block < STORED; block++) {
                byte[] buffer = BlockTarget.of("", prompt, block).buffer().toByteArray();
                stored.add(Arrays.copyOf(buffer, 16));
            }
        }

        assertThat(tried).noneMatch(one -> stored.stream().anyMatch(one.reply()::holds));
    }

    @Test
    void nothingIsWrittenThatMayNotBe() {
        for (Tried one : tried) {
            TestPrompt prompt = one.attempt().target().prompt();
            if (one.attempt().operation().writes()
                    && one.attempt().kind() == ForbiddenAttempt.ForbiddenReason.OTHERS_PARTITION) {
                int expected = prompt.equals(neighbours.withheld) ? STORED : 0;
                assertThat(lookup(neighbours.ownerKey(), SHARED, prompt)).isEqualTo(expected);
            }
        }
        assertThat(lookup(neighbours.ownerKey(), SHARED, neighbours.granted)).isEqualTo(STORED);
    }

    @Test
    void whatIsAnothersAccountIsInTheListOfRefusals() {
        Set<String> expected = refused(ForbiddenAttempt.ForbiddenReason.OTHERS_ACCOUNT).stream()
                .map(attempt ->
                        "key " + keyId(attempt) + " use " + attempt.target().resource())
                .collect(Collectors.toSet());

        assertThat(expected).hasSizeGreaterThan(ATTEMPTS / 100);
        await().atMost(REFUSED_WITHIN)
                .untilAsserted(() -> assertThat(neighbours.refusals()).containsAll(expected));
    }

    @Test
    void aKeyThatIsNoneIsInTheListOfRefusals() {
        Set<String> expected = refused(ForbiddenAttempt.ForbiddenReason.NO_KEY).stream()
                .filter(attempt ->
                        String.valueOf(attempt.authorization()).matches("Bearer kv_[A-Za-z0-9-]{1,64}_[A-Za-z0-9_-]*"))
                .map(attempt -> "key " + keyId(attempt) + " ")
                .collect(Collectors.toSet());

        assertThat(expected).hasSizeGreaterThan(2);
        await().atMost(REFUSED_WITHIN).untilAsserted(() -> {
            Set<String> kept = neighbours.refusals();
            assertThat(expected).allMatch(key -> kept.stream().anyMatch(refusal -> refusal.startsWith(key)));
        });
    }

    @Test
    void whatARightDoesNotCoverIsInTheDataPlanesLog() throws IOException {
        String log = Files.readString(up.log(0));

        for (ForbiddenAttempt.ForbiddenReason kind : List.of(
                ForbiddenAttempt.ForbiddenReason.OTHERS_PARTITION, ForbiddenAttempt.ForbiddenReason.READ_ONLY)) {
            assertThat(refused(kind))
                    .isNotEmpty()
                    .allSatisfy(attempt -> assertThat(log)
                            .contains("refused: key " + keyId(attempt) + ", resource "
                                    + attempt.target().resource() + ", to "));
        }
    }

    private List<ForbiddenAttempt> refused(ForbiddenAttempt.ForbiddenReason kind) {
        return refused().stream().filter(attempt -> attempt.kind() == kind).toList();
    }

    private static String keyId(ForbiddenAttempt attempt) {
        return Neighbours.id(Objects.requireNonNull(attempt.authorization()).substring("Bearer ".length()));
    }

    @Test
    void everybodyHasWhatIsTheirsAndWhatIsGrantedToThem() {
        BlockTarget granted = BlockTarget.of(SHARED, neighbours.granted, 1);
        for (String key : List.of(neighbours.guestKey(), neighbours.ownerKey())) {
            assertThat(lookup(key, SHARED, neighbours.granted)).isEqualTo(STORED);
            for (BlockOperation reading : List.of(BlockOperation.READ, BlockOperation.STREAMING_READ)) {
                assertThat(call(key, reading, granted).holds(granted.buffer().toByteArray()))
                        .isTrue();
            }
        }
        assertThat(lookup(neighbours.guestKey(), GUESTS, neighbours.guests)).isEqualTo(STORED);
    }

    @Test
    void aKeyThatEndsWhileItIsInUseIsNoKeyAnyMore() throws InterruptedException {
        String key = neighbours.key(GUEST, Instant.now().plus(SHORT));
        assertThat(lookup(key, GUESTS, neighbours.guests)).isEqualTo(STORED);

        assertThat(awaitRefusal(key, GUESTS, neighbours.guests)).isEqualTo(Code.UNAUTHENTICATED);
    }
}
