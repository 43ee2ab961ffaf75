package dev.kvstore.dataplane.storage.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.storage.blob.models.BlobErrorCode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.PutResult;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import dev.kvstore.dataplane.storage.StoredContents;
import dev.kvstore.dataplane.storage.http.HttpProxy;
import dev.kvstore.dataplane.storage.http.RelayingProxy;
import dev.kvstore.testing.ClosedPort;
import dev.kvstore.testing.JvmProxy;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The effects of answers that no working service gives. */
abstract class AzureFailureContract {
    private static final String SECRET = "c2VjcmV0";
    private static final StorageCredential CREDENTIAL =
            new StorageCredential.SharedAccessSignature("sv=2021-12-02&sig=" + SECRET);

    private final MemoryPool memory = new MemoryPool(1 << 20, Duration.ZERO);
    private final AtomicInteger requests = new AtomicInteger();
    private HttpServer server;
    private HttpHandler answer = exchange -> status(exchange, 500, "InternalError");
    private final Transport transport;
    private AzureStores stores;
    private AzureStore store;

    AzureFailureContract(Transport transport) {
        this.transport = transport;
    }

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            requests.incrementAndGet();
            answer.handle(exchange);
        });
        server.start();
        URI endpoint = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/account");
        stores = new AzureStores(Outbound.DEFAULT.over(transport), new SimpleMeterRegistry());
        store = stores.open(new AzureContainer(endpoint, "blobs", CREDENTIAL));
    }

    @AfterEach
    void stop() {
        stores.close();
        server.stop(0);
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void isThrottledByAServerThatStaysBusyForAllTries() {
        answer = exchange -> status(exchange, 503, "ServerBusy");

        assertFails(
                Kind.THROTTLED,
                "blob a/b: answered 503 ServerBusy",
                () -> store.get("a/b", BlockStore.MAX_BLOB_BYTES, memory));
        assertThat(requests).hasValue(AzureStores.TRIES);
    }

    @Test
    void isNotAskedAgainBeforeTheTimeThatItNamed() {
        answer = exchange -> {
            exchange.getResponseHeaders().add("Retry-After", "30");
            status(exchange, 503, "ServerBusy");
        };

        assertFails(
                Kind.THROTTLED,
                "blob a: not asked, since storage has asked for fewer requests",
                () -> store.exists("a"));
        assertFails(
                Kind.THROTTLED,
                "blob b: not asked, since storage has asked for fewer requests",
                () -> store.exists("b"));
        assertThat(requests).hasValue(1);
    }

    @Test
    void anotherAccountIsAskedWhileOneIsThrottled() throws Exception {
        answer = exchange -> {
            if (exchange.getRequestURI().getPath().startsWith("/account/")) {
                exchange.getResponseHeaders().add("Retry-After", "30");
                status(exchange, 503, "ServerBusy");
            } else {
                status(exchange, 404, "BlobNotFound");
            }
        };
        AzureStore healthy = stores.open(new AzureContainer(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/other"), "blobs", CREDENTIAL));

        assertFails(Kind.THROTTLED, "blob a", () -> store.exists("a"));

        assertThat(healthy.exists("a")).isFalse();
    }

    @Test
    void isUnavailableWhenTheServiceFails() {
        assertFails(Kind.UNAVAILABLE, "blob a: answered 500 InternalError", () -> store.exists("a"));
    }

    @Test
    void isForbiddenWithoutARight() {
        answer = exchange -> status(exchange, 403, "AuthorizationPermissionMismatch");

        assertFails(
                Kind.FORBIDDEN,
                "blob a: answered 403 AuthorizationPermissionMismatch",
                () -> store.putIfAbsent("a", StoredContents.random(1, 10)));
        assertThat(requests).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sv=2021-12-02&sig= " + SECRET,
                "sv=2021-12-02&sig=\r\n" + SECRET,
                "sv=2021-12-02&\tsig=" + SECRET,
                "sv=2021-12-02&sig=\u200b" + SECRET,
                "sv=2021-12-02&sig=\"" + SECRET,
                "sv=2021%1202&sig=%x" + SECRET
            })
    void isForbiddenAtOnceByATokenThatIsInNoUrl(String token) {
        String endpoint = "http://127.0.0.1:" + server.getAddress().getPort() + "/account";

        for (StorageCredential credential : List.of(
                new StorageCredential.SharedAccessSignature(token),
                new StorageCredential.ConnectionString(
                        "BlobEndpoint=" + endpoint + ";SharedAccessSignature=" + token + ";"))) {
            assertFails(
                    Kind.FORBIDDEN,
                    "container blobs: its SAS token has a character that no URL has, after ",
                    () -> stores.open(new AzureContainer(URI.create(endpoint), "blobs", credential)));
        }
        assertThat(requests).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"c2Vj cmV0", "c2VjcmV0*", "c2VjcmV0=x"})
    void isForbiddenAtOnceByAKeyThatIsNoBase64(String key) {
        StorageCredential credential =
                new StorageCredential.ConnectionString("AccountName=account;AccountKey=" + key + ";");

        assertFails(
                Kind.FORBIDDEN,
                "container blobs: the AccountKey of its connection string is not Base64",
                () -> stores.open(new AzureContainer(
                        URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/account"),
                        "blobs",
                        credential)));
        assertThat(requests).hasValue(0);
    }

    @ParameterizedTest
    @CsvSource({
        "se=2020-01-02T03%3A04%3A05Z, 2020-01-02T03:04:05Z",
        "se=2020-01-02T03%3A04Z, 2020-01-02T03:04:00Z",
        "se=2020-01-02, 2020-01-02T00:00:00Z"
    })
    void saysThatItsTokenHasEnded(String end, String time) throws Exception {
        answer = exchange -> status(exchange, 403, "AuthenticationFailed");
        store = withToken(end);

        assertFails(
                Kind.FORBIDDEN,
                "blob a: answered 403 AuthenticationFailed: its SAS token ended at " + time + "; make a new one",
                () -> store.exists("a"));
    }

    @Test
    void saysThatItsTokenHasNotBegun() throws Exception {
        answer = exchange -> status(exchange, 403, "AuthenticationFailed");
        store = withToken("st=2100-01-02T03%3A04%3A05Z&se=2101-01-01");

        assertFails(
                Kind.FORBIDDEN, "its SAS token begins at 2100-01-02T03:04:05Z, and it is ", () -> store.exists("a"));
    }

    private AzureStore withToken(String times) throws StorageException {
        return stores.open(new AzureContainer(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/account"),
                "blobs",
                new StorageCredential.SharedAccessSignature("sv=2021-12-02&" + times + "&sig=" + SECRET)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Thu, 26 Nov 2020 20:31:36 GMT", "Wed, 26 Nov 2200 20:31:36 GMT"})
    void saysThatItsClockIsWrong(String time) throws Exception {
        answer = exchange -> status(exchange, 403, "AuthenticationFailed");
        HttpPipelinePolicy clock = (call, next) -> {
            call.getHttpRequest().setHeader(HttpHeaderName.DATE, time);
            return next.process();
        };
        try (AzureStores wrong =
                new AzureStores(Outbound.DEFAULT.over(transport), new SimpleMeterRegistry(), List.of(clock))) {
            store = wrong.open(new AzureContainer(
                    URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/account"), "blobs", CREDENTIAL));

            assertFails(
                    Kind.FORBIDDEN,
                    "AuthenticationFailed: the clock of the data plane says 2" + time.substring(13, 16)
                            + "-11-26T20:31:36Z",
                    () -> store.exists("a"));
        }
    }

    @Test
    void saysNothingOfAClockThatIsNearlyRight() {
        answer = exchange -> status(exchange, 403, "AuthenticationFailed");

        assertThat(catchThrowableOfType(StorageException.class, () -> store.exists("a")))
                .hasMessage("blob a: answered 403 AuthenticationFailed");
    }

    /** No name server knows the host. */
    @Test
    void callsGoThroughAProxyWhichLooksUpTheHost() throws Exception {
        answer = exchange -> status(exchange, 404, "BlobNotFound");
        try (RelayingProxy proxy = new RelayingProxy(server.getAddress(), "200 OK");
                AzureStores through = through(proxy)) {
            store = through.open(new AzureContainer(URI.create("http://account.invalid/account"), "blobs", CREDENTIAL));

            assertThat(store.exists("a")).isFalse();
            assertThat(proxy.asked()).hasSize(1).first().asString().contains("account.invalid");
        }
    }

    @Test
    void aHostOfThisMachineIsCalledWithoutTheProxy() throws Exception {
        answer = exchange -> status(exchange, 404, "BlobNotFound");
        try (RelayingProxy proxy = new RelayingProxy(server.getAddress(), "200 OK");
                AzureStores through = through(proxy)) {
            store = through.open(new AzureContainer(
                    URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/account"), "blobs", CREDENTIAL));

            assertThat(store.exists("a")).isFalse();
            assertThat(proxy.asked()).isEmpty();
        }
    }

    @Test
    void aProxyThatIsTheJvmsAndNotSetIsNotUsed() throws Exception {
        answer = exchange -> status(exchange, 404, "BlobNotFound");
        try (JvmProxy _ = new JvmProxy();
                AzureStores direct = new AzureStores(Outbound.DEFAULT.over(transport), new SimpleMeterRegistry())) {
            store = direct.open(new AzureContainer(
                    URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/account"), "blobs", CREDENTIAL));

            assertThat(store.exists("a")).isFalse();
        }
    }

    private AzureStores through(RelayingProxy proxy) {
        return new AzureStores(
                Outbound.DEFAULT.over(transport).through(HttpProxy.of("127.0.0.1:" + proxy.port())),
                new SimpleMeterRegistry());
    }

    /** Conflicts with another call, or with work that ends. */
    private static final Set<BlobErrorCode> PASSING = Set.of(
            BlobErrorCode.ACCOUNT_BEING_CREATED,
            BlobErrorCode.BLOB_ALREADY_EXISTS,
            BlobErrorCode.BLOB_OVERWRITTEN,
            BlobErrorCode.CONDITION_NOT_MET,
            BlobErrorCode.CONTAINER_ALREADY_EXISTS,
            BlobErrorCode.OPERATION_TIMED_OUT,
            BlobErrorCode.PENDING_COPY_OPERATION,
            BlobErrorCode.RESOURCE_ALREADY_EXISTS,
            BlobErrorCode.SOURCE_CONDITION_NOT_MET,
            BlobErrorCode.SYSTEM_IN_USE,
            BlobErrorCode.TARGET_CONDITION_NOT_MET);

    @Test
    void everyConflictEitherPassesOrNamesItsCodeToAnAdmin() {
        Set<BlobErrorCode> others = Set.of(
                BlobErrorCode.BLOB_NOT_FOUND,
                BlobErrorCode.CONTAINER_BEING_DELETED,
                BlobErrorCode.SNAPSHOT_OPERATION_RATE_EXCEEDED);

        assertThat(BlobErrorCode.values())
                .hasSizeGreaterThan(100)
                .filteredOn(code -> !others.contains(code))
                .allSatisfy(code -> {
                    StorageException e = failure(409, code);
                    assertThat(e.kind()).isEqualTo(PASSING.contains(code) ? Kind.UNAVAILABLE : Kind.HELD);
                    assertThat(e).hasMessageContaining("blob a: answered 409 " + code);
                    if (e.kind() == Kind.HELD) {
                        assertThat(e.remedy()).contains("(" + code + ")").doesNotContain("null");
                    }
                });
    }

    @Test
    void aContainerThatIsBeingDeletedIsMissing() {
        assertThat(failure(409, BlobErrorCode.CONTAINER_BEING_DELETED).kind()).isEqualTo(Kind.MISSING);
    }

    @Test
    void aDisabledAccountIsNoQuestionOfTheCredential() {
        StorageException e = failure(403, BlobErrorCode.ACCOUNT_IS_DISABLED);

        assertThat(e.kind()).isEqualTo(Kind.HELD);
        assertThat(e.remedy()).contains("the storage account is disabled");
    }

    @Test
    void aLeaseOfSomebodyNamesTheLease() {
        StorageException e = failure(412, BlobErrorCode.LEASE_ID_MISSING);

        assertThat(e.kind()).isEqualTo(Kind.HELD);
        assertThat(e.remedy()).contains("LeaseIdMissing", "break the lease");
    }

    private StorageException failure(int status, BlobErrorCode code) {
        answer = exchange -> status(exchange, status, code.toString());
        return catchThrowableOfType(StorageException.class, () -> store.exists("a"));
    }

    @Test
    void isUnavailableWhenNobodyListens() throws Exception {
        try (ClosedPort closed = new ClosedPort()) {
            URI nowhere = URI.create("http://127.0.0.1:" + closed.number() + "/account");
            AzureStore unheard = stores.open(new AzureContainer(nowhere, "blobs", CREDENTIAL));

            assertFails(
                    Kind.UNAVAILABLE, "blob a: no answer", () -> unheard.get("a", BlockStore.MAX_BLOB_BYTES, memory));
        }
    }

    @Test
    void isUnavailableWhenABlobEndsEarlyEachTime() {
        answer = exchange -> {
            exchange.getResponseHeaders().add("ETag", "\"1\"");
            isOfStorage(exchange);
            exchange.sendResponseHeaders(200, 1000);
            exchange.getResponseBody().write(new byte[400]);
            exchange.getResponseBody().flush();
            throw new IOException("cut off");
        };

        assertFails(Kind.UNAVAILABLE, "blob a", () -> store.get("a", BlockStore.MAX_BLOB_BYTES, memory));
    }

    @Test
    void isUnavailableWhenAProxyWantsToKnowWhoAsks() {
        answer = exchange -> {
            exchange.getResponseHeaders().add("Proxy-Authenticate", "Basic realm=\"office\"");
            exchange.sendResponseHeaders(407, -1);
        };

        assertEachCallFails();
    }

    /** As a portal that wants a password answers, or any server of files behind a wrong private endpoint. */
    @ParameterizedTest
    @ValueSource(ints = {200, 201, 202, 302, 304, 401, 403, 404, 409, 412})
    void isUnavailableWhenAServerAnswersThatIsNoStorage(int status) {
        answer = exchange -> {
            byte[] page = "<html><body>Please sign in</body></html>".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "text/html");
            exchange.getResponseHeaders().add("ETag", "\"1\"");
            exchange.getResponseHeaders().add("Last-Modified", "Thu, 26 Nov 2020 20:31:36 GMT");
            exchange.getRequestBody().readAllBytes();
            boolean bodiless = exchange.getRequestMethod().equals("HEAD") || status == 304;
            exchange.sendResponseHeaders(status, bodiless ? -1 : page.length);
            if (!bodiless) {
                exchange.getResponseBody().write(page);
            }
            exchange.close();
        };

        assertEachCallFails();
        assertFails(
                Kind.UNAVAILABLE,
                "blob a: answered " + status + ", but not as Azure Storage does",
                () -> store.exists("a"));
    }

    /** Such as that of static websites, behind a private endpoint for the wrong one. */
    @Test
    void isUnavailableWhenAnotherServiceOfAzureAnswers() {
        answer = exchange -> {
            exchange.getResponseHeaders().add("x-ms-request-id", "1");
            exchange.getResponseHeaders().add("x-ms-version", "2018-03-28");
            exchange.getResponseHeaders().add("ETag", "\"1\"");
            exchange.sendResponseHeaders(200, exchange.getRequestMethod().equals("HEAD") ? -1 : 10);
            if (!exchange.getRequestMethod().equals("HEAD")) {
                exchange.getResponseBody().write(new byte[10]);
            }
            exchange.close();
        };

        assertFails(Kind.UNAVAILABLE, "blob a: answered without", () -> store.exists("a"));
        assertFails(
                Kind.UNAVAILABLE, "blob a: answered without", () -> store.get("a", BlockStore.MAX_BLOB_BYTES, memory));
        assertFails(Kind.UNAVAILABLE, "blob a: answered without", () -> store.getRange("a", 0, 10, memory));
        assertFails(
                Kind.UNAVAILABLE,
                "blob a: answered without",
                () -> store.getIfChanged("a", "\"2\"", BlockStore.MAX_BLOB_BYTES, memory));
    }

    @Test
    void isUnavailableWhenATimeIsNone() {
        answer = exchange -> {
            exchange.getResponseHeaders().add("ETag", "\"1\"");
            exchange.getResponseHeaders().add("Last-Modified", "yesterday");
            isOfStorage(exchange);
            exchange.sendResponseHeaders(exchange.getRequestMethod().equals("PUT") ? 201 : 200, -1);
        };

        assertFails(Kind.UNAVAILABLE, "blob a", () -> store.get("a", BlockStore.MAX_BLOB_BYTES, memory));
        assertFails(Kind.UNAVAILABLE, "blob a", () -> store.putIfAbsent("a", StoredContents.random(1, 10)));
        assertFails(Kind.UNAVAILABLE, "blob a", () -> store.exists("a"));
    }

    @Test
    void isUnavailableWhenWhatIsStoredHasNoETag() {
        answer = exchange -> {
            exchange.getRequestBody().readAllBytes();
            isOfStorage(exchange);
            exchange.sendResponseHeaders(201, -1);
        };

        assertFails(Kind.UNAVAILABLE, "blob a", () -> store.putIfAbsent("a", StoredContents.random(1, 10)));
        assertFails(Kind.UNAVAILABLE, "blob a", () -> store.putIfMatch("a", StoredContents.random(1, 10), "\"1\""));
    }

    private void assertEachCallFails() {
        assertFails(Kind.UNAVAILABLE, "listing of \"a\"", () -> store.list("a", null, 10));
        assertFails(Kind.UNAVAILABLE, "blob a", () -> store.get("a", BlockStore.MAX_BLOB_BYTES, memory));
        assertFails(Kind.UNAVAILABLE, "blob a", () -> store.getRange("a", 0, 10, memory));
        assertFails(
                Kind.UNAVAILABLE, "blob a", () -> store.getIfChanged("a", "\"1\"", BlockStore.MAX_BLOB_BYTES, memory));
        assertFails(Kind.UNAVAILABLE, "blob a", () -> store.exists("a"));
        assertFails(Kind.UNAVAILABLE, "blob a", () -> store.deleteIfMatch("a", "\"1\""));
        assertFails(Kind.UNAVAILABLE, "blob a", () -> store.putIfAbsent("a", StoredContents.random(1, 10)));
        assertFails(Kind.UNAVAILABLE, "blob a", () -> store.putIfMatch("a", StoredContents.random(1, 10), "\"1\""));
    }

    @Test
    void sendsTheWholeContentAgainInARetry() throws Exception {
        List<ByteBuffer> received = new ArrayList<>();
        answer = exchange -> {
            received.add(ByteBuffer.wrap(exchange.getRequestBody().readAllBytes()));
            exchange.getResponseHeaders().add("ETag", "\"1\"");
            status(exchange, received.size() == 1 ? 503 : 201, "ServerBusy");
        };
        ByteBuffer content = StoredContents.random(1, 300_000);

        assertThat(store.putIfAbsent("a", content)).isInstanceOf(PutResult.Stored.class);
        assertThat(received).containsExactly(content, content);
    }

    @Test
    void saysOfABlobInTheWayThatItMayBeItsOwnIfAnAnswerWasLost() throws Exception {
        answer = exchange -> {
            exchange.getRequestBody().readAllBytes();
            if (requests.get() == 1) {
                exchange.close();
            } else {
                status(exchange, 409, "BlobAlreadyExists");
            }
        };

        assertThat(store.putIfAbsent("a", StoredContents.random(1, 1000)))
                .isEqualTo(new PutResult.ConditionFailed(true));
    }

    @Test
    void saysOfABlobInTheWayThatItIsAnothersIfEachTryWasAnswered() throws Exception {
        answer = exchange -> {
            exchange.getRequestBody().readAllBytes();
            status(exchange, requests.get() == 1 ? 503 : 409, requests.get() == 1 ? "ServerBusy" : "BlobAlreadyExists");
        };

        assertThat(store.putIfAbsent("a", StoredContents.random(1, 1000))).isEqualTo(new PutResult.ConditionFailed());
    }

    @Test
    void saysThatAPutMayBeDoneIfOneOfItsAnswersWasLost() {
        answer = exchange -> {
            exchange.getRequestBody().readAllBytes();
            if (requests.get() == 1) {
                exchange.close();
            } else {
                status(exchange, 503, "ServerBusy");
            }
        };

        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> store.putIfAbsent("a", StoredContents.random(1, 1000)))
                .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.THROTTLED))
                .satisfies(e -> assertThat(e.isMaybeDone()).isTrue());
    }

    private static void isOfStorage(HttpExchange exchange) {
        exchange.getResponseHeaders().add("x-ms-request-id", "1");
        exchange.getResponseHeaders().add("x-ms-blob-type", "BlockBlob");
    }

    private static void assertFails(Kind kind, String message, ThrowingCallable call) {
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(call)
                .withMessageContaining(message)
                .satisfies(e -> assertThat(e.kind()).isEqualTo(kind))
                .satisfies(e -> assertThat(stackTrace(e)).doesNotContain(SECRET));
    }

    private static String stackTrace(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    private static void status(HttpExchange exchange, int status, String code) throws IOException {
        exchange.getRequestBody().readAllBytes();
        exchange.getResponseHeaders().add("x-ms-error-code", code);
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }
}
