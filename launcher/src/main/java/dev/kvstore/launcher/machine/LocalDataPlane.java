package dev.kvstore.launcher.machine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;

/**
 * A data plane of this machine, reached over its HTTP port; in clear, or over TLS if the port speaks TLS. Thread-safe.
 */
final class LocalDataPlane {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final int MOST_BYTES = 64 * 1024;
    private static final int OK = 200;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String name;
    private final InetSocketAddress http;
    private final HttpClient client;
    private volatile String scheme = "http";

    /**
     * @param name the name for people, such as {@code node 0}
     * @param http its HTTP address on this machine
     * @param client of {@link MachineDataPlanes}
     */
    LocalDataPlane(String name, InetSocketAddress http, HttpClient client) {
        this.name = name;
        this.http = http;
        this.client = client;
    }

    String name() {
        return name;
    }

    /** Whether the data plane takes calls. False also if it does not answer within a second. */
    boolean isReady() throws InterruptedException {
        try {
            return ask("GET", "/q/health/ready").statusCode() == OK;
        } catch (IOException notThere) {
            return false;
        }
    }

    /** Asks the data plane for the progress of its drain. */
    DrainAnswer drain() throws InterruptedException {
        return drain("GET");
    }

    /** Starts or ends the drain of the data plane. */
    DrainAnswer drain(boolean wanted) throws InterruptedException {
        return drain(wanted ? "PUT" : "DELETE");
    }

    private DrainAnswer drain(String method) throws InterruptedException {
        try {
            HttpResponse<InputStream> response = ask(method, "/drain");
            JsonNode state = JSON.readTree(response.body().readNBytes(MOST_BYTES));
            return response.statusCode() == OK
                    ? new DrainAnswer.ToldDrain(DrainState.of(state))
                    : new DrainAnswer.SilentProcess();
        } catch (HttpConnectTimeoutException slow) {
            return new DrainAnswer.SilentProcess();
        } catch (ConnectException nothingListens) {
            return new DrainAnswer.EndedProcess();
        } catch (IOException unread) {
            return new DrainAnswer.SilentProcess();
        }
    }

    private HttpResponse<InputStream> ask(String method, String path) throws IOException, InterruptedException {
        String first = scheme;
        try {
            return send(first, method, path);
        } catch (ConnectException | HttpTimeoutException e) {
            // The other protocol would fail in the same way.
            throw e;
        } catch (IOException e) {
            String other = first.equals("http") ? "https" : "http";
            HttpResponse<InputStream> response = send(other, method, path);
            scheme = other;
            return response;
        }
    }

    private HttpResponse<InputStream> send(String protocol, String method, String path)
            throws IOException, InterruptedException {
        String host = http.getAddress().getHostAddress();
        String authority = (host.contains(":") ? "[" + host + "]" : host) + ":" + http.getPort();
        return client.send(
                HttpRequest.newBuilder(URI.create(protocol + "://" + authority + path))
                        .method(method, BodyPublishers.noBody())
                        .timeout(TIMEOUT)
                        .build(),
                BodyHandlers.ofInputStream());
    }
}
