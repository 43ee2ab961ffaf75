package dev.kvstore.launcher.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.launcher.ReportFile;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.RestRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kv admin routes}: shows the data planes to which clients of an account are sent. */
@Command(
        name = "routes",
        description = "Shows which processes serve an account for a client.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {"", "  kv admin routes acme-prod --region eu-1 --explain"})
final class RoutesCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "RESOURCE", description = "Name of the account.")
    private String resource = "";

    @Option(
            names = "--region",
            paramLabel = "R",
            description = "Region of the client; the account's home region if absent or unknown.")
    private @Nullable String region;

    @Option(names = "--explain", description = "Say why each cluster is in or out.")
    private boolean explain;

    @Mixin
    private final Output output = new Output();

    @Mixin
    private final ConnectionFlags connection = new ConnectionFlags();

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        RestRequest request = RestRequest.get(List.of("v1", "routes", resource));
        if (region != null) {
            request = request.with("region", region);
        }
        if (explain) {
            request = request.with("explain", "true");
        }
        ReportFile file = output.file();
        try (AdminClient client = connection.open()) {
            JsonNode route = client.send(request).accepted().body();
            output.show(spec.commandLine().getOut(), file, route, text(route));
        }
        return 0;
    }

    private String text(JsonNode route) {
        List<JsonNode> targets = targets(route.path("levels"));
        String text = "seen from " + route.path("region").asText() + ", version "
                + route.path("version").asText() + "\n\n"
                + (targets.isEmpty()
                        ? "nothing serves " + resource + "; --explain says why\n"
                        : JsonTable.of(
                                List.of(
                                        "level",
                                        "region",
                                        "roundTripMicros",
                                        "share",
                                        "cluster",
                                        "process",
                                        "address",
                                        "weight"),
                                targets));
        if (!explain) {
            return text;
        }
        List<JsonNode> reasons = new ArrayList<>();
        route.path("reasons").forEach(reasons::add);
        return text + "\n" + JsonTable.of(List.of("cluster", "region", "routed", "text"), reasons);
    }

    /** A row for each data plane, with the fields of its level. */
    private static List<JsonNode> targets(JsonNode levels) {
        List<JsonNode> rows = new ArrayList<>();
        int number = 0;
        for (JsonNode level : levels) {
            number++;
            for (JsonNode target : level.path("targets")) {
                ObjectNode row = JsonNodeFactory.instance.objectNode();
                row.put("level", number + (level.path("panic").asBoolean() ? " panic" : ""));
                row.set("region", level.path("region"));
                row.set("roundTripMicros", level.path("roundTripMicros"));
                row.set("share", level.path("share"));
                row.setAll((ObjectNode) target);
                rows.add(row);
            }
        }
        return rows;
    }
}
