package dev.kvstore.control.rest;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import dev.kvstore.control.rest.ApiDocument.ApiOperation;
import dev.kvstore.control.rest.RawHttp.RawAnswer;
import dev.kvstore.testing.Patience;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * At every operation of the API, what nobody should send: it is answered with a problem document that blames the
 * sender.
 */
@Tag("slow")
@QuarkusTest
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(TestIssuer.class)
class BadRequestsTest {
    /** By RFC 3986. */
    private static final Predicate<String> NO_URI =
            Pattern.compile("[^ -~]|%(?![0-9A-Fa-f]{2})").asPredicate();

    private static final int MOST_SHOWN = 300;

    /** A class, or a frame of a stack trace. */
    private static final Predicate<String> INTERNALS = Pattern.compile(
                    "Exception|\\tat |\\b(java|javax|jakarta|io|org|com|dev)(\\.[a-z]\\w*)+\\.[A-Z]\\w*")
            .asPredicate();

    private static final Map<String, String> NAMES = Map.of(
            "tenant", "fuzzed",
            "account", "fuzzed",
            "key", "fuzzed",
            "grant", "fuzzed",
            "region", "fuzzed",
            "homeRegion", "fuzzed",
            "other", "fuzzed-2",
            "cluster", "fuzzed",
            "process", "fuzzed",
            "grantee", "fuzzed-2");

    private final List<String> flaws = new ArrayList<>();
    private final Map<String, String> admin =
            Map.of("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN, "Content-Type", "application/json");

    @SuppressWarnings("NullAway.Init")
    private ApiDocument document;

    /** Requests whose answers no socket holds. */
    private static final int UNREAD = 300;

    @Test
    void aConnectionHasOneRequestAtATime() throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), RestAssured.port)) {
            socket.setSoTimeout((int) Patience.LIMIT.toMillis());
            socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII));

            byte[] answer = socket.getInputStream().readNBytes(5);

            // With HTTP/2 it would begin with a frame of settings.
            assertThat(new String(answer, US_ASCII)).isEqualTo("HTTP/");
        }
    }

    @Test
    void aCallerThatAsksOnAndReadsNoAnswerIsLeft() throws IOException {
        String request = "GET /q/openapi HTTP/1.1\r\nHost: localhost\r\n\r\n";
        try (Socket socket = new Socket()) {
            socket.setReceiveBufferSize(4_096);
            socket.setSoTimeout((int) Patience.LIMIT.toMillis());
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), RestAssured.port));
            socket.getOutputStream().write(request.repeat(UNREAD).getBytes(US_ASCII));

            // Nothing is read before the server has had the time for as many answers.
            for (int i = 0; i < UNREAD; i++) {
                assertThat(RawHttp.send("GET", "/q/openapi", admin, null).status())
                        .isEqualTo(200);
            }
            int answers = new String(socket.getInputStream().readAllBytes(), US_ASCII).split("HTTP/1.1 200").length - 1;

            assertThat(answers).isLessThan(UNREAD);
        }
    }

    @BeforeEach
    void read() {
        document = ApiDocument.served();
        register();
    }

    private static void register() {
        for (String name : List.of("fuzzed", "fuzzed-2")) {
            RestAdmin.tenant(name);
            RestAdmin.region(name);
        }
        RestAdmin.put("/v1/clusters/fuzzed", Map.of("region", "fuzzed", "state", "active"));
        RestAdmin.put("/v1/accounts/fuzzed", RestAdmin.account("fuzzed", RestAdmin.replica("fuzzed", "fuzzed", "abc")));
    }

    private RawAnswer call(ApiOperation operation, String target, @Nullable String body) {
        return RawHttp.send(operation.method(), target, admin, body);
    }

    private @Nullable String good(ApiOperation operation) {
        JsonNode schema = operation.body();
        return schema == null ? null : document.example(schema, NAMES).toString();
    }

    private List<ApiOperation> withBody() {
        return document.operations().stream()
                .filter(operation -> operation.body() != null)
                .toList();
    }

    /** Notes an answer that is none of this API's, or not as bad as the request. */
    private void check(String request, RawAnswer answer, boolean mustFail) {
        int status = answer.status();
        boolean blames = status >= 400 && status < 500;
        boolean problem = answer.contentType().startsWith("application/problem+json");
        boolean fine = status >= 200 && status < 300 && !mustFail;
        if ((!fine && !(blames && problem)) || INTERNALS.test(answer.text())) {
            flaws.add("%s%n    %d %s %s".formatted(cut(request), status, answer.contentType(), cut(answer.text())));
        }
    }

    /** A target that is no URI is refused before there is a request, without a problem document. */
    private void checkTarget(String request, RawAnswer answer, boolean mustFail) {
        if (answer.status() != 400 || !answer.text().isEmpty() || !NO_URI.test(request)) {
            check(request, answer, mustFail);
        }
    }

    private static String cut(String text) {
        return text.substring(0, Math.min(MOST_SHOWN, text.length()));
    }

    @Test
    void ofABodyThatIsNotJsonOrNotTheOneThatIsTaken() {
        for (ApiOperation operation : withBody()) {
            for (String body : Malformed.BODIES) {
                boolean mayBeAbsent = body.isBlank() && operation.method().equals("POST");
                check(operation + " " + body, call(operation, operation.at(NAMES), body), !mayBeAbsent);
            }
        }
        assertThat(flaws).isEmpty();
    }

    @Test
    void ofABodyWithOnePlaceThatIsWrong() {
        for (ApiOperation operation : withBody()) {
            register();
            JsonNode schema = Objects.requireNonNull(operation.body());
            for (Altered altered : Altered.of(document.example(schema, NAMES))) {
                String body = altered.body().toString();
                check(
                        operation + " " + altered.place() + " " + body,
                        call(operation, operation.at(NAMES), body),
                        altered.wrong());
            }
        }
        assertThat(flaws).isEmpty();
    }

    @Test
    void ofANameThatNothingCanHave() {
        for (ApiOperation operation : document.operations()) {
            for (String parameter : operation.parameters()) {
                for (String name : Malformed.NAMES) {
                    Map<String, String> names = new HashMap<>(NAMES);
                    names.put(parameter, name);
                    String target = operation.at(names);
                    checkTarget(operation.method() + " " + target, call(operation, target, good(operation)), true);
                }
            }
        }
        assertThat(flaws).isEmpty();
    }

    @Test
    void ofAQuery() {
        for (ApiOperation operation : document.operations()) {
            List<String> queries = new ArrayList<>(Malformed.QUERIES);
            for (String name : operation.query()) {
                Malformed.NAMES.forEach(value -> queries.add(name + "=" + value));
            }
            for (String query : operation.method().equals("GET") ? queries : List.<String>of()) {
                String target = operation.at(NAMES) + "?" + query;
                checkTarget("GET " + target, call(operation, target, null), false);
            }
        }
        assertThat(flaws).isEmpty();
    }

    @Test
    void ofAPrecondition() {
        for (ApiOperation operation : document.operations()) {
            for (String header : List.of("If-Match", "If-None-Match")) {
                for (String tag :
                        List.of("nonsense", "\"" + "9".repeat(40) + "\"", "\"-1\"", "W/\"1\"", "\"", "", "*, *")) {
                    Map<String, String> headers = new HashMap<>(admin);
                    headers.put(header, tag);
                    check(
                            operation + " " + header + ": " + tag,
                            RawHttp.send(operation.method(), operation.at(NAMES), headers, good(operation)),
                            false);
                }
            }
        }
        assertThat(flaws).isEmpty();
    }

    @Test
    void ofACredential() {
        List<String> role = List.of("platform-admin");
        String good = TestIssuer.token(role, null);
        String payload = good.substring(good.indexOf('.') + 1, good.lastIndexOf('.'));
        String none = Base64.getUrlEncoder().withoutPadding().encodeToString("{\"alg\":\"none\"}".getBytes(UTF_8));
        List<@Nullable String> credentials = Arrays.asList(
                null,
                "",
                "Bearer",
                "Bearer ",
                "Basic YWRtaW46YWRtaW4=",
                "Bearer " + TestDatabase.ADMIN_TOKEN + "x",
                "Bearer kva_" + "x".repeat(4_000),
                "Bearer " + TestDatabase.JOIN_TOKEN,
                "Bearer " + none + "." + payload + ".",
                "Bearer " + none + "." + payload + ".AAAA",
                "Bearer " + good.substring(0, good.length() - 4),
                "Bearer a.b.c",
                "Bearer ...",
                "Bearer " + TestIssuer.forged(role),
                "Bearer " + TestIssuer.expired(role),
                "Bearer " + TestIssuer.forAnother(role));
        Set<Integer> statuses = new TreeSet<>();
        for (ApiOperation operation : document.operations()) {
            for (String credential : credentials) {
                Map<String, String> headers = new HashMap<>(Map.of("Content-Type", "application/json"));
                if (credential != null) {
                    headers.put("Authorization", credential);
                }
                RawAnswer answer = RawHttp.send(operation.method(), operation.at(NAMES), headers, good(operation));
                check(operation + " with " + credential, answer, true);
                statuses.add(answer.status());
            }
        }
        assertThat(flaws).isEmpty();
        assertThat(statuses).containsExactly(401);
    }

    @Test
    void ofABodyOfTenMegabytes() {
        String large = "{\"displayName\": \"" + "x".repeat(10_000_000) + "\"}";
        for (ApiOperation operation : withBody()) {
            RawAnswer whole = call(operation, operation.at(NAMES), large);
            RawAnswer chunked = RawHttp.sendChunked(operation.method(), operation.at(NAMES), admin, large);
            check(operation + " of 10 MB", whole, true);
            check(operation + " of 10 MB in chunks", chunked, true);
            assertThat(List.of(whole.status(), chunked.status()))
                    .as("%s", operation)
                    .containsExactly(413, 411);
        }
        assertThat(flaws).isEmpty();
    }

    @Test
    void ofAPathOrAMethodThatIsNone() {
        for (String path : List.of(
                "/v1", "/v1/", "/v1/nosuch", "/v2/tenants", "/", "/v1/tenants/a/b/c/d", "/v1/../v1/x", "//v1")) {
            check("GET " + path, RawHttp.send("GET", path, admin, null), true);
        }
        for (ApiOperation operation : document.operations()) {
            for (String method : List.of("PATCH", "TRACE", "BREW", "POST", "PUT", "DELETE")) {
                if (document.operations().stream()
                        .noneMatch(
                                one -> one.method().equals(method) && one.path().equals(operation.path()))) {
                    String target = operation.at(NAMES);
                    check(method + " " + target, RawHttp.send(method, target, admin, "{}"), true);
                }
            }
        }
        assertThat(flaws).isEmpty();
    }

    /** An empty precondition is refused, however the path is spelled that leads to the resource. */
    @Test
    void ofAPathInAnotherSpelling() {
        Map<String, String> headers = new HashMap<>(admin);
        headers.put("If-Match", "");
        for (String target : List.of(
                "//v1/regions/fuzzed",
                "///v1/regions/fuzzed",
                "/./v1/regions/fuzzed",
                "/x/../v1/regions/fuzzed",
                "/%761/regions/fuzzed",
                "/%2Fv1/regions/fuzzed",
                "/;a=b/v1/regions/fuzzed",
                "/v1;a=b/regions/fuzzed",
                "/v1//regions/fuzzed",
                "/v1%2Fregions/fuzzed",
                "/v1/%72egions/fuzzed",
                "/v1/regions/fuzzed;a=b",
                "/v1/regions/fuzzed/",
                "/v1/regions/fuzzed//",
                "/V1/regions/fuzzed",
                "http://localhost/v1/regions/fuzzed",
                "http://localhost//v1/regions/fuzzed")) {
            check("PUT " + target, RawHttp.send("PUT", target, headers, "{}"), true);
        }
        assertThat(flaws).isEmpty();
    }

    @Test
    void ofAMediaTypeThatIsNotTaken() {
        for (ApiOperation operation : withBody()) {
            for (String type :
                    List.of("text/plain", "application/xml", "application/x-www-form-urlencoded", "nonsense")) {
                Map<String, String> headers = new HashMap<>(admin);
                headers.put("Content-Type", type);
                check(
                        operation + " as " + type,
                        RawHttp.send(operation.method(), operation.at(NAMES), headers, good(operation)),
                        true);
            }
        }
        assertThat(flaws).isEmpty();
    }
}
