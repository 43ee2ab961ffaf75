package dev.kvstore.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The metadata service of a virtual machine of Azure: its documented answers about the machine's name and its scheduled
 * events. Not verified against Azure. Thread-safe.
 */
final class AzureVm implements AutoCloseable {
    static final String NAME = "kv-vm_3";

    private final HttpServer server;
    private final List<String> started = new CopyOnWriteArrayList<>();
    private final AtomicInteger asked = new AtomicInteger();
    private volatile String events = "";

    private AzureVm(HttpServer server) {
        this.server = server;
    }

    static AzureVm start() throws IOException {
        HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        AzureVm vm = new AzureVm(http);
        http.createContext("/metadata/scheduledevents", vm::events);
        http.createContext("/metadata/instance/compute/name", call -> answer(call, 200, NAME));
        http.start();
        return vm;
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Something happens to a machine within a time. */
    void schedule(String id, String type, String machine, Duration within) {
        events = """
                {"EventId": "%s", "EventType": "%s", "ResourceType": "VirtualMachine", "Resources": ["%s"],
                 "EventStatus": "Scheduled", "NotBefore": "%s", "Description": "", "EventSource": "Platform",
                 "DurationInSeconds": -1}""".formatted(
                        id,
                        type,
                        machine,
                        DateTimeFormatter.RFC_1123_DATE_TIME.format(
                                ZonedDateTime.now(ZoneOffset.UTC).plus(within)));
    }

    /** Nothing happens any more. */
    void callOff() {
        events = "";
    }

    /** Events that the machine has had go on. */
    List<String> started() {
        return List.copyOf(started);
    }

    /** Questions about events so far. */
    int asked() {
        return asked.get();
    }

    private void events(HttpExchange call) throws IOException {
        if (!"true".equals(call.getRequestHeaders().getFirst("Metadata"))) {
            answer(call, 400, "{\"error\": \"Bad request. Required metadata header not specified\"}");
            return;
        }
        if (call.getRequestMethod().equals("POST")) {
            JsonNode body = new ObjectMapper().readTree(call.getRequestBody());
            body.path("StartRequests")
                    .forEach(one -> started.add(one.path("EventId").asText()));
            answer(call, 200, "");
            return;
        }
        asked.incrementAndGet();
        answer(call, 200, "{\"DocumentIncarnation\": 1, \"Events\": [" + events + "]}");
    }

    private static void answer(HttpExchange call, int code, String body) throws IOException {
        byte[] bytes = body.getBytes(UTF_8);
        try (call) {
            call.sendResponseHeaders(code, bytes.length == 0 ? -1 : bytes.length);
            if (bytes.length > 0) {
                call.getResponseBody().write(bytes);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
