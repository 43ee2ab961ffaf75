package dev.kvstore.control.resolve;

import static dev.kvstore.protocol.control.v1.AccountServiceGrpc.getReportProbeMethod;
import static dev.kvstore.protocol.control.v1.AccountServiceGrpc.getResolveMethod;
import static dev.kvstore.protocol.control.v1.AccountServiceGrpc.getWatchMethod;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import dev.kvstore.protocol.control.v1.ProbeStep;
import dev.kvstore.protocol.control.v1.ReportProbeRequest;
import dev.kvstore.protocol.control.v1.ResolveRequest;
import dev.kvstore.protocol.control.v1.ResolveResponse;
import dev.kvstore.protocol.control.v1.WatchRequest;
import dev.kvstore.testing.MadeUpMessages;
import dev.kvstore.testing.Patience;
import dev.kvstore.testing.RawCalls;
import dev.kvstore.testing.Reply;
import io.grpc.MethodDescriptor;
import io.grpc.Status.Code;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Requests that no data plane sends: each is the sender's mistake, gets a sentence that says so, and harms no other
 * caller.
 */
@Tag("slow")
@QuarkusTest
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(TestIssuer.class)
class ControlFuzzTest {
    private static final long SEED = 7;
    private static final int CALLS = 300;
    private static final int WATCHES = 60;
    private static final int MOST_SHOWN = 100;
    private static final String BEARER = "Bearer ";
    private static final String JOINED = BEARER + TestDatabase.JOIN_TOKEN;

    /** A watch that is let in does not end. */
    private static final Duration WATCHED_FOR = Duration.ofMillis(100);

    /** A watcher hears something once a second. */
    private static final Duration SOME_BEATS = Duration.ofMillis(3_500);

    /** The bytes that calls of every method may send. */
    private static final int MOST_BYTES = 8 * 1024;

    private static final int SOME_MESSAGES = 3;

    private static final Duration PATIENCE = Patience.LIMIT;

    private static final Set<Code> MISTAKES = Set.of(Code.INVALID_ARGUMENT, Code.OUT_OF_RANGE, Code.NOT_FOUND);

    /** A class, or a frame of a stack trace. */
    private static final Predicate<String> INTERNALS = Pattern.compile(
                    "Exception|\\tat |\\b[a-z]+(\\.[a-z]\\w*)+\\.[A-Z]\\w*")
            .asPredicate();

    private static final ResolveRequest RESOLVE = ResolveRequest.newBuilder()
            .setKeyId("abc")
            .setKeySha256(ByteString.copyFrom(new byte[32]))
            .setResourceName("fuzzed-by-planes")
            .setRegion("eu-1")
            .build();

    private static final ReportProbeRequest REPORT = ReportProbeRequest.newBuilder()
            .setId("fuzzed-by-planes/eu-1/nonce")
            .setNode("n")
            .addSteps(ProbeStep.newBuilder().setName(ProbeStep.Name.DELETE).setOk(true))
            .build();

    private static final WatchRequest WATCH =
            WatchRequest.newBuilder().setRegion("eu-1").setNode("n").setSince(1).build();

    @ConfigProperty(name = "quarkus.grpc.server.test-port")
    int grpcPort;

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final MadeUpMessages messages = new MadeUpMessages(random);

    @SuppressWarnings("NullAway.Init")
    private RawCalls calls;

    @BeforeEach
    void connect() {
        calls = new RawCalls("localhost:" + grpcPort);
        put("/v1/regions/eu-1", Map.of());
        put("/v1/tenants/fuzzed", Map.of());
        put(
                "/v1/accounts/fuzzed-by-planes",
                Map.of(
                        "tenant",
                        "fuzzed",
                        "replicas",
                        List.of(Map.of("region", "eu-1", "endpoint", "file:///fuzzed"))));
    }

    private static void put(String path, Object body) {
        given().header("Authorization", BEARER + TestDatabase.ADMIN_TOKEN)
                .contentType(ContentType.JSON)
                .body(body)
                .put(path);
    }

    /** Whatever was sent. */
    @AfterEach
    void othersAreAnswered() throws Exception {
        try (var _ = calls) {
            Reply reply = call(getResolveMethod(), JOINED, RESOLVE.toByteString());
            assertThat(reply.code()).isEqualTo(Code.OK);
            assertThat(ResolveResponse.parseFrom(reply.messages().getFirst()).hasUnknownKey())
                    .isTrue();
        }
    }

    private Reply call(MethodDescriptor<?, ?> method, @Nullable String authorization, ByteString... requests) {
        return calls.call(
                method,
                RawCalls.headers(authorization),
                Arrays.asList(requests),
                method.getType().serverSendsOneMessage() ? PATIENCE : WATCHED_FOR);
    }

    private ByteString madeUp(Message good) {
        return messages.next(good.getDescriptorForType(), good.toByteString());
    }

    private List<String> flaws(MethodDescriptor<?, ?> method, Message good, int calls) {
        List<String> flaws = new ArrayList<>();
        for (int i = 0; i < calls; i++) {
            ByteString request = madeUp(good);
            Reply reply = call(method, JOINED, request);
            boolean served = reply.code() == Code.OK
                    || (reply.code() == Code.RESOURCE_EXHAUSTED && request.size() > MOST_BYTES)
                    || (reply.code() == Code.DEADLINE_EXCEEDED
                            && !method.getType().serverSendsOneMessage());
            if ((!served && !MISTAKES.contains(reply.code()))
                    || (!served && INTERNALS.test(String.valueOf(reply.status().getDescription())))) {
                flaws.add(method.getBareMethodName() + " call " + i + ": " + reply.status() + " to "
                        + TextFormat.escapeBytes(request.substring(0, Math.min(MOST_SHOWN, request.size()))));
            }
        }
        return flaws;
    }

    @Test
    void aQuestionThatIsNoneIsTheSendersMistake() {
        assertThat(flaws(getResolveMethod(), RESOLVE, CALLS))
                .as("seed %d", SEED)
                .isEmpty();
    }

    @Test
    void aReportThatIsNoneIsTheSendersMistake() {
        assertThat(flaws(getReportProbeMethod(), REPORT, CALLS))
                .as("seed %d", SEED)
                .isEmpty();
    }

    @Test
    void aWatchOfWhatCannotBeWatchedIsTheSendersMistake() {
        assertThat(flaws(getWatchMethod(), WATCH, WATCHES)).as("seed %d", SEED).isEmpty();
    }

    /** PostgreSQL has no text with a zero in it. */
    @Test
    void whatCannotBeInTheDatabaseIsNotThere() {
        for (String id : List.of("a\0/eu-1/n", "fuzzed-by-planes/\0/n", "fuzzed-by-planes/eu-1/\0")) {
            ReportProbeRequest report = REPORT.toBuilder().setId(id).build();
            assertThat(call(getReportProbeMethod(), JOINED, report.toByteString())
                            .code())
                    .as(id)
                    .isIn(Code.OK, Code.INVALID_ARGUMENT);
        }
        ResolveRequest question =
                RESOLVE.toBuilder().setResourceName("a\0").setRegion("\0").build();
        assertThat(call(getResolveMethod(), JOINED, question.toByteString()).code())
                .isEqualTo(Code.OK);
    }

    @Test
    void aWatcherWithoutAPlaceKeepsNobodyFromHearing() {
        WatchRequest nowhere = WatchRequest.newBuilder().setRegion("\0").build();
        CompletableFuture<Reply> besides = CompletableFuture.supplyAsync(
                () -> watch(nowhere, SOME_BEATS.plus(SOME_BEATS)), Thread::startVirtualThread);

        Reply reply = calls.call(
                getWatchMethod(), RawCalls.headers(JOINED), List.of(WATCH.toByteString()), SOME_MESSAGES, PATIENCE);

        assertThat(reply.messages()).hasSize(SOME_MESSAGES);
        assertThat(besides.join().code()).isIn(Code.DEADLINE_EXCEEDED, Code.INVALID_ARGUMENT);
    }

    private Reply watch(WatchRequest request, Duration patience) {
        return calls.call(getWatchMethod(), RawCalls.headers(JOINED), List.of(request.toByteString()), patience);
    }

    @Test
    void aCallHasOneMessage() {
        Map<MethodDescriptor<?, ?>, ByteString> good = Map.of(
                getResolveMethod(), RESOLVE.toByteString(),
                getReportProbeMethod(), REPORT.toByteString(),
                getWatchMethod(), WATCH.toByteString());
        good.forEach((method, request) -> {
            assertThat(call(method, JOINED).code())
                    .as("%s without a message", method.getBareMethodName())
                    .isEqualTo(Code.INVALID_ARGUMENT);
            assertThat(call(method, JOINED, request, request).code())
                    .as("%s with two messages", method.getBareMethodName())
                    .isEqualTo(Code.INVALID_ARGUMENT);
        });
    }

    @Test
    void whoIsNoDataPlaneIsToldNothingWhateverItSends() {
        List<String> admin = List.of("platform-admin");
        List<@Nullable String> tokens = Arrays.asList(
                null,
                "",
                "Bearer",
                BEARER,
                TestDatabase.JOIN_TOKEN,
                "Basic " + TestDatabase.JOIN_TOKEN,
                JOINED + "x",
                JOINED + " ",
                JOINED.substring(0, JOINED.length() - 1),
                BEARER + TestDatabase.ADMIN_TOKEN,
                BEARER + "x".repeat(4_000),
                BEARER + TestIssuer.token(admin, null),
                BEARER + TestIssuer.expired(admin),
                BEARER + TestIssuer.forged(admin));
        Set<String> told = new TreeSet<>();
        for (String token : tokens) {
            // A connection with a hundred such calls is closed.
            try (RawCalls ofToken = new RawCalls("localhost:" + grpcPort)) {
                for (MethodDescriptor<?, ?> method :
                        List.of(getResolveMethod(), getReportProbeMethod(), getWatchMethod())) {
                    for (ByteString request : List.of(RESOLVE.toByteString(), ByteString.EMPTY, madeUp(RESOLVE))) {
                        Reply reply = ofToken.call(method, RawCalls.headers(token), List.of(request), PATIENCE);
                        assertThat(reply.messages()).isEmpty();
                        told.add(reply.status() + " " + reply.metadata());
                    }
                }
            }
        }

        assertThat(told).hasSize(1).first().asString().contains("UNAUTHENTICATED");
    }
}
