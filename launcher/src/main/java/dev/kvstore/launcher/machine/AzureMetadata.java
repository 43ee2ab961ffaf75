package dev.kvstore.launcher.machine;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Azure's instance metadata service, which only this machine can ask. One thread uses it. */
public final class AzureMetadata {
    /** The address of the metadata service on every virtual machine of Azure. */
    public static final URI ADDRESS = URI.create("http://169.254.169.254");

    private static final String EVENTS = "/metadata/scheduledevents?api-version=2020-07-01";
    private static final String NAME = "/metadata/instance/compute/name?api-version=2021-02-01&format=text";
    private static final String TOKEN = "/metadata/identity/oauth2/token?api-version=2018-02-01&resource=";
    private static final Duration CONNECT = Duration.ofSeconds(2);

    /**
     * The longest wait for an answer: the first request for events starts their service, which takes up to two minutes.
     */
    private static final Duration ANSWER = Duration.ofMinutes(2);

    private static final int MOST_BYTES = 256 * 1024;
    private static final int MOST_EVENTS = 100;
    private static final int OK = 200;
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * Types of maintenance after which a machine is away for a while, or for good. A freeze of seconds does not count.
     */
    enum MaintenanceType {
        TERMINATE,
        REBOOT,
        REDEPLOY,
        PREEMPT;

        /** The type for a word of Azure. */
        static Optional<MaintenanceType> of(String text) {
            return switch (text) {
                case "Terminate" -> Optional.of(TERMINATE);
                case "Reboot" -> Optional.of(REBOOT);
                case "Redeploy" -> Optional.of(REDEPLOY);
                case "Preempt" -> Optional.of(PREEMPT);
                default -> Optional.empty();
            };
        }

        String word() {
            return switch (this) {
                case TERMINATE -> "end";
                case REBOOT -> "restart";
                case REDEPLOY -> "move";
                case PREEMPT -> "take away";
            };
        }
    }

    /**
     * A maintenance that Azure will do to this machine.
     *
     * @param scheduled whether the maintenance waits to be started, or for its time; false once it has begun
     * @param notBefore when it begins by itself; empty once it has begun
     */
    record MaintenanceEvent(String id, MaintenanceType type, boolean scheduled, Optional<Instant> notBefore) {}

    private final URI address;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .proxy(HttpClient.Builder.NO_PROXY)
            .build();
    private @Nullable String name;

    /** @param address {@link #ADDRESS}, or the address of another service with the same answers */
    public AzureMetadata(URI address) {
        this.address = address;
    }

    /**
     * The events of this machine, which Azure knows by its resource name.
     *
     * @throws IOException if the service does not answer, or if its answer is not as documented
     */
    List<MaintenanceEvent> events() throws IOException, InterruptedException {
        JsonNode events;
        try {
            events = JSON.readTree(get(EVENTS)).path("Events");
        } catch (JsonProcessingException e) {
            throw new IOException(address + " answers with something that is no list of events", e);
        }
        List<MaintenanceEvent> ours = new ArrayList<>();
        for (JsonNode event : events) {
            Optional<MaintenanceType> type =
                    MaintenanceType.of(event.path("EventType").asText());
            if (type.isPresent() && ours.size() < MOST_EVENTS && isOurs(event.path("Resources"))) {
                ours.add(new MaintenanceEvent(
                        event.path("EventId").asText(),
                        type.get(),
                        event.path("EventStatus").asText().equals("Scheduled"),
                        time(event.path("NotBefore").asText())));
            }
        }
        return List.copyOf(ours);
    }

    private boolean isOurs(JsonNode resources) throws IOException, InterruptedException {
        String known = name;
        if (known == null) {
            known = get(NAME).strip();
            name = known;
        }
        for (JsonNode resource : resources) {
            if (resource.asText().equals(known)) {
                return true;
            }
        }
        return false;
    }

    private static Optional<Instant> time(String text) {
        try {
            return text.isEmpty()
                    ? Optional.empty()
                    : Optional.of(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text, Instant::from));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /**
     * Starts an event now.
     *
     * @throws IOException if the service refuses
     */
    void start(String id) throws IOException, InterruptedException {
        String body = JSON.writeValueAsString(JSON.createObjectNode()
                .set(
                        "StartRequests",
                        JSON.createArrayNode().add(JSON.createObjectNode().put("EventId", id))));
        String _ = send(request(EVENTS).POST(BodyPublishers.ofString(body)));
    }

    /**
     * A token of an identity of this machine, which proves the identity to another service of Azure.
     *
     * @param audience the service, such as {@code https://vault.azure.net}
     * @param clientId the id of the identity, if the machine has several; empty for its only one
     * @throws IOException if the machine has no such identity, or the service does not answer
     */
    String token(String audience, String clientId) throws IOException, InterruptedException {
        String path = TOKEN
                + URLEncoder.encode(audience, UTF_8)
                + (clientId.isEmpty() ? "" : "&client_id=" + URLEncoder.encode(clientId, UTF_8));
        try {
            String token = JSON.readTree(get(path)).path("access_token").asText();
            if (token.isEmpty()) {
                throw new IOException(address + " answers without a token");
            }
            return token;
        } catch (JsonProcessingException e) {
            throw new IOException(address + " answers with something that is no token", e);
        }
    }

    private String get(String path) throws IOException, InterruptedException {
        return send(request(path).GET());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(address.resolve(path))
                .header("Metadata", "true")
                .timeout(ANSWER);
    }

    private String send(HttpRequest.Builder request) throws IOException, InterruptedException {
        var response = client.send(request.build(), BodyHandlers.ofInputStream());
        try (InputStream body = response.body()) {
            if (response.statusCode() != OK) {
                throw new IOException(address + " answers " + response.statusCode());
            }
            return new String(body.readNBytes(MOST_BYTES), UTF_8);
        }
    }
}
