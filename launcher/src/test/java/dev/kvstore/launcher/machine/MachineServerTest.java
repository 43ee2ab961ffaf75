package dev.kvstore.launcher.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.launcher.process.Ports;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.SecureRandom;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The callers that may drain a machine over HTTP. */
class MachineServerTest {
    private final MachineDataPlanes machine = new MachineDataPlanes(List.of(), System::nanoTime);
    private final HttpClient client = HttpClient.newHttpClient();

    private int port;

    @SuppressWarnings("NullAway.Init")
    private MachineServer server;

    @BeforeEach
    void start() {
        port = Ports.free(new SecureRandom(), 1, 0);
        server = MachineServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), machine);
    }

    @AfterEach
    void stop() {
        server.close();
        client.close();
    }

    private int ask(String method, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/drain"))
                .method(method, BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofString()).statusCode();
    }

    @Test
    void aCommandOfThisMachineMay() throws Exception {
        assertThat(ask("PUT")).isEqualTo(200);
        assertThat(machine.health().ready()).isFalse();

        assertThat(ask("DELETE")).isEqualTo(200);
        assertThat(machine.health().ready()).isTrue();
    }

    @Test
    void aFormOfAnotherSiteMayNot() throws Exception {
        assertThat(ask("POST")).isEqualTo(405);

        assertThat(machine.health().ready()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Origin", "Sec-Fetch-Site", "X-Forwarded-For", "Via"})
    void aPageOrAProxyMayNot(String header) throws Exception {
        assertThat(ask("PUT", header, "x")).isEqualTo(403);

        assertThat(machine.health().ready()).isTrue();
    }
}
