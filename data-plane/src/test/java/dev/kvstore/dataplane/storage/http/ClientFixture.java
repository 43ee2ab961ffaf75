package dev.kvstore.dataplane.storage.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.Context;
import dev.kvstore.dataplane.storage.azure.AzureHttp;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.util.ResourceLeakDetector;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A client with its meters. A test gives back all connections; a class gives back all of Netty's memory, which is
 * looked for only once, since that takes three collections of the whole heap, or about a second.
 */
abstract class ClientFixture {
    static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    static final String CREATED = "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n";

    private static final Leaks LEAKS = new Leaks();

    static final HttpOptions OPTIONS = new HttpOptions(
            100,
            4_000,
            null,
            List.of(),
            Duration.ofMinutes(5),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofSeconds(20),
            Duration.ofSeconds(60));

    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    NettyHttpClient client = client(OPTIONS);

    /** The client, as Azure's SDK takes it. */
    final AzureHttp http() {
        return new AzureHttp(client);
    }

    NettyHttpClient client(HttpOptions options) {
        return new NettyHttpClient(options, meters);
    }

    @BeforeAll
    static void watchMemory() {
        LEAKS.watch(ResourceLeakDetector.Level.PARANOID);
    }

    @AfterEach
    void closeClient() {
        client.close();
    }

    /** Each leak with the places where its memory was used. */
    @AfterAll
    static void noMemoryWasDropped() {
        LEAKS.assertNone();
    }

    static HttpOptions from(List<InetAddress> addresses) {
        return with(OPTIONS.connections(), addresses, OPTIONS);
    }

    static HttpOptions connections(int connections, Duration patience) {
        return new HttpOptions(
                connections,
                OPTIONS.allConnections(),
                null,
                List.of(),
                OPTIONS.dnsTtl(),
                OPTIONS.connectTimeout(),
                patience,
                OPTIONS.answerTimeout(),
                OPTIONS.silence(),
                OPTIONS.idle());
    }

    /** So many connections to one host, and to all together. */
    static HttpOptions all(int connections) {
        return new HttpOptions(
                connections,
                connections,
                null,
                List.of(),
                OPTIONS.dnsTtl(),
                OPTIONS.connectTimeout(),
                OPTIONS.acquireTimeout(),
                OPTIONS.answerTimeout(),
                OPTIONS.silence(),
                OPTIONS.idle());
    }

    static HttpOptions times(Duration answer, Duration silence, Duration idle) {
        return new HttpOptions(
                OPTIONS.connections(),
                OPTIONS.allConnections(),
                null,
                List.of(),
                OPTIONS.dnsTtl(),
                OPTIONS.connectTimeout(),
                OPTIONS.acquireTimeout(),
                answer,
                silence,
                idle);
    }

    static HttpOptions through(HttpProxy proxy) {
        return new HttpOptions(
                OPTIONS.connections(),
                OPTIONS.allConnections(),
                proxy,
                List.of(),
                OPTIONS.dnsTtl(),
                OPTIONS.connectTimeout(),
                OPTIONS.acquireTimeout(),
                OPTIONS.answerTimeout(),
                OPTIONS.silence(),
                OPTIONS.idle());
    }

    private static HttpOptions with(int connections, List<InetAddress> addresses, HttpOptions others) {
        return new HttpOptions(
                connections,
                OPTIONS.allConnections(),
                others.proxy(),
                addresses,
                others.dnsTtl(),
                others.connectTimeout(),
                others.acquireTimeout(),
                others.answerTimeout(),
                others.silence(),
                others.idle());
    }

    static HttpRequest get(TestServer server) {
        return new HttpRequest(HttpMethod.GET, "http://127.0.0.1:" + server.port() + "/blob?x=1");
    }

    static HttpRequest put(TestServer server, Flux<ByteBuffer> body, int length) {
        return new HttpRequest(HttpMethod.PUT, "http://127.0.0.1:" + server.port() + "/blob")
                .setBody(body)
                .setHeader(com.azure.core.http.HttpHeaderName.CONTENT_LENGTH, Integer.toString(length));
    }

    Mono<String> text(HttpRequest request) {
        return http().send(request).flatMap(HttpResponse::getBodyAsByteArray).map(bytes -> new String(bytes, UTF_8));
    }

    /** The answer to a request whose reader takes each piece at once, or not. */
    HttpResponse answer(HttpRequest request, boolean lend) {
        return requireNonNull(
                http().send(request, new Context(AzureHttp.LEND, lend)).block());
    }

    double connections(String state) {
        return meters.get("kvstore.storage.connections")
                .tag("state", state)
                .gauge()
                .value();
    }

    double pendingRequests() {
        return meters.get("kvstore.storage.pending.requests").gauge().value();
    }

    double counted(String name, String tag, String value) {
        return meters.get(name).tag(tag, value).counter().count();
    }
}
