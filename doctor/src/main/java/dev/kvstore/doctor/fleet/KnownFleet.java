package dev.kvstore.doctor.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.doctor.service.ServiceAddress;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.RestRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The fleet as the control plane's REST API has it. Immutable.
 *
 * @param version of the control plane
 * @param processes the data planes of all clusters
 */
public record KnownFleet(
        String version,
        List<JsonNode> regions,
        List<JsonNode> clusters,
        List<JsonNode> processes,
        List<JsonNode> accounts) {
    private static final int MOST = 100_000;

    /**
     * Reads it.
     *
     * @throws dev.kvstore.launcher.rest.AdminException if the control plane cannot be asked, or refuses
     */
    public static KnownFleet read(AdminClient client) throws InterruptedException {
        JsonNode caller =
                client.send(RestRequest.get(List.of("v1", "whoami"))).accepted().body();
        List<JsonNode> clusters = list(client, "clusters");
        List<JsonNode> processes = new ArrayList<>();
        for (JsonNode cluster : clusters) {
            processes.addAll(list(client, "clusters", cluster.path("name").asText(), "processes"));
        }
        return new KnownFleet(
                caller.path("version").asText(),
                list(client, "regions"),
                clusters,
                processes,
                list(client, "accounts"));
    }

    private static List<JsonNode> list(AdminClient client, String... path) throws InterruptedException {
        List<String> segments = Stream.concat(Stream.of("v1"), Stream.of(path)).toList();
        return client.list(RestRequest.get(segments), MOST).items();
    }

    /** The addresses of data planes that serve. */
    public List<ServiceAddress> serving() {
        return processes.stream()
                .filter(process -> !process.path("state").asText().equals("lapsed"))
                .filter(process -> !process.path("state").asText().equals("absent"))
                .map(process -> ServiceAddress.parse(process.path("address").asText()))
                .flatMap(Optional::stream)
                .toList();
    }

    /** The account with a resource name. */
    Optional<JsonNode> account(String resource) {
        return accounts.stream()
                .filter(account -> account.path("resourceName").asText().equals(resource))
                .findFirst();
    }
}
