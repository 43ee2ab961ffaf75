package dev.kvstore.dataplane.storage.azure;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.azure.storage.blob.BlobAsyncClient;
import com.azure.storage.blob.BlobServiceAsyncClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.storage.BlobLink;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.dataplane.storage.PutResult;
import dev.kvstore.dataplane.storage.StorageException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The requests for links: the emulator does not copy from URLs, so nothing here is verified against Azure. */
class LinksTest {
    private static final String KEY = "bm90IGEga2V5IG9mIGFueWJvZHkgYXQgYWxs";
    private static final String NAME = "kv/v1/aa/bb";

    /** A request as the service gets it. */
    private record SeenRequest(String method, String path, Map<String, String> headers) {}

    private final List<SeenRequest> seen = new CopyOnWriteArrayList<>();
    private final HttpServer server;
    private final AzureStores stores = new AzureStores(
            new Outbound(Transport.NETTY, 4, 4, null, Duration.ofMinutes(5), List.of()), new SimpleMeterRegistry());
    private final MemoryPool memory = new MemoryPool(1 << 20, Duration.ZERO);
    private volatile int status = 201;
    private volatile String error = "";

    LinksTest() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        stores.close();
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            seen.add(new SeenRequest(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().getPath(),
                    exchange.getRequestHeaders().entrySet().stream()
                            .collect(Collectors.toMap(
                                    header -> header.getKey().toLowerCase(java.util.Locale.ROOT),
                                    header -> header.getValue().getFirst()))));
            exchange.getResponseHeaders().set("x-ms-request-id", "1");
            exchange.getResponseHeaders().set("ETag", "\"0x1\"");
            exchange.getResponseHeaders().set("Last-Modified", "Mon, 23 Nov 2026 06:00:00 GMT");
            boolean refused = status != 201
                    || (!error.isEmpty() && exchange.getRequestHeaders().containsKey("x-ms-copy-source"));
            if (refused) {
                exchange.getResponseHeaders().set("x-ms-error-code", error);
            }
            exchange.sendResponseHeaders(refused && status == 201 ? 404 : status, -1);
        }
    }

    private URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/account");
    }

    private BlockStore store(StorageCredential credential) throws StorageException {
        return stores.open(new AzureContainer(endpoint(), "blocks", credential));
    }

    private BlockStore withKey() throws StorageException {
        return store(new StorageCredential.ConnectionString(
                "DefaultEndpointsProtocol=http;AccountName=account;AccountKey=" + KEY + ";BlobEndpoint=" + endpoint()));
    }

    private static Map<String, String> query(URI url) {
        return Arrays.stream(url.getRawQuery().split("&"))
                .map(part -> part.split("=", 2))
                .collect(Collectors.toMap(part -> part[0], part -> URLDecoder.decode(part[1], UTF_8)));
    }

    @Test
    void aLinkIsToReadOneBlobForMinutes() throws StorageException {
        Instant now = Instant.now();

        BlobLink link = Objects.requireNonNull(withKey().link(NAME));

        assertThat(URLDecoder.decode(link.url().getRawPath(), UTF_8)).isEqualTo("/account/blocks/" + NAME);
        Map<String, String> query = query(link.url());
        assertThat(query).containsEntry("sr", "b").containsEntry("sp", "r").containsKey("sig");
        assertThat(Instant.parse(query.get("se")))
                .isBetween(now.plus(Duration.ofMinutes(4)), now.plus(Duration.ofMinutes(6)));
    }

    @Test
    void aLinkShowsInNoText() throws StorageException {
        assertThat(withKey().link(NAME)).asString().doesNotContain("sig=").doesNotContain("sp=");
    }

    @Test
    void whoHasOnlyASignatureSignsNothing() throws StorageException {
        assertThat(store(new StorageCredential.SharedAccessSignature("sv=2024-01-01&sig=abc"))
                        .link(NAME))
                .isNull();
        assertThat(store(new StorageCredential.ConnectionString(
                                "BlobEndpoint=" + endpoint() + ";SharedAccessSignature=sv=2024-01-01&sig=abc"))
                        .link(NAME))
                .isNull();
    }

    @Test
    void theServiceIsAskedToFetchTheBlobUnlessItHasOne() throws Exception {
        BlockStore target = withKey();

        assertThat(target.copyFrom(withKey(), NAME, memory)).isInstanceOf(PutResult.Stored.class);

        assertThat(seen).singleElement().satisfies(request -> {
            assertThat(request.method()).isEqualTo("PUT");
            assertThat(request.path()).isEqualTo("/account/blocks/" + NAME);
            assertThat(request.headers())
                    .containsEntry("if-none-match", "*")
                    .containsEntry("x-ms-blob-type", "BlockBlob")
                    .containsEntry("content-length", "0");
            URI source = URI.create(Objects.requireNonNull(request.headers().get("x-ms-copy-source")));
            assertThat(query(source)).containsEntry("sr", "b").containsEntry("sp", "r");
        });
    }

    @Test
    void whatIsThereStays() throws Exception {
        status = 409;
        error = "BlobAlreadyExists";

        assertThat(withKey().copyFrom(withKey(), NAME, memory)).isEqualTo(new PutResult.ConditionFailed());
    }

    @Test
    void aServiceThatWillNotFetchIsAskedThreeTimesAndThenTheBytesComeByHere() throws Exception {
        error = "CannotVerifyCopySource";
        BlockStore target = withKey();
        MemoryStore bytes = new MemoryStore();
        BlobLink link = withKey().link(NAME);
        BlockStore source = (BlockStore) Proxy.newProxyInstance(
                BlockStore.class.getClassLoader(),
                new Class<?>[] {BlockStore.class},
                (_, method, arguments) -> method.getName().equals("link") ? link : method.invoke(bytes, arguments));
        for (int i = 0; i < 5; i++) {
            var _ = bytes.putIfAbsent(NAME + i, ByteBuffer.allocate(10));
            assertThat(target.copyFrom(source, NAME + i, memory)).isInstanceOf(PutResult.Stored.class);
        }

        assertThat(target.followsLinks()).isFalse();
        assertThat(seen.stream().filter(request -> request.headers().containsKey("x-ms-copy-source")))
                .hasSize(3);
        assertThat(seen).hasSize(8);
    }

    /** Or each of many copies would wait for the tries of all before it, while storage is away. */
    @Test
    void aCallWaitsForAKeyThatAnotherAsksForForAWhileOnly() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        server.createContext("/silent", exchange -> {
            asked.countDown();
            try (exchange) {
                over.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        });
        BlobServiceAsyncClient service = new BlobServiceClientBuilder()
                .endpoint(endpoint().resolve("/silent").toString())
                .sasToken("sig=abc")
                .httpClient(HttpClients.open(Outbound.DEFAULT, new SimpleMeterRegistry()))
                .buildAsyncClient();
        Links links = new Links(
                service, new StorageCredential.ManagedIdentity(null), InstantSource.system(), Duration.ofMillis(50));
        BlobAsyncClient blob = service.getBlobContainerAsyncClient("blocks").getBlobAsyncClient(NAME);
        Thread first = Thread.startVirtualThread(() -> assertThatException().isThrownBy(() -> links.to(blob)));
        asked.await();

        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> links.to(blob))
                .withMessageContaining("another call has asked for it for PT0.05S");
        first.interrupt();
        over.countDown();
        first.join();
    }

    @Test
    void aFailureHoldsNoSignature() throws Exception {
        status = 403;
        error = "AuthorizationFailure";
        BlockStore target = withKey();

        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> target.copyFrom(withKey(), NAME, memory))
                .satisfies(e -> assertThat(e.toString() + e.getCause()).doesNotContain("sig="));
    }
}
