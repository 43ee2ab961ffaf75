package dev.kvstore.launcher.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.launcher.ReportFile;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.RestRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kv admin heat}: shows how few of an account's blocks are used most. */
@Command(
        name = "heat",
        description = "Shows how much an account's blocks are used in a region, and how few have most of the uses.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {"", "  kv admin heat acme-prod --region eu-1"})
final class HeatCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "RESOURCE", description = "Name of the account.")
    private String resource = "";

    @Option(names = "--region", paramLabel = "R", description = "Region; the account's home region if absent.")
    private @Nullable String region;

    @Mixin
    private final Output output = new Output();

    @Mixin
    private final ConnectionFlags connection = new ConnectionFlags();

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        RestRequest request = RestRequest.get(List.of("v1", "accounts", resource, "heat"));
        if (region != null) {
            request = request.with("region", region);
        }
        ReportFile file = output.file();
        try (AdminClient client = connection.open()) {
            JsonNode heat = client.send(request).accepted().body();
            output.show(spec.commandLine().getOut(), file, heat, text(heat));
        }
        return 0;
    }

    private static String text(JsonNode heat) {
        String of = heat.path("resourceName").asText() + " in "
                + heat.path("region").asText();
        if (heat.path("blocks").asLong() == 0) {
            return "nobody told of any use of " + of + " so far; data planes do so every 5 s\n";
        }
        return "%s: %,d blocks of late, %,d MB; a use counts half as much as one 5 minutes later%n%n%s%n%s"
                .formatted(
                        of,
                        heat.path("blocks").asLong(),
                        heat.path("bytes").asLong() / 1_000_000,
                        JsonTable.of(List.of("uses", "blocks", "bytes"), rows(heat.path("hottest"))),
                        JsonTable.of(List.of("root", "uses", "blocks", "bytes"), rows(heat.path("partitions"))));
    }

    /** The rows, with shares in the form for people. */
    private static List<JsonNode> rows(JsonNode list) {
        List<JsonNode> rows = new ArrayList<>();
        list.forEach(row -> rows.add(((ObjectNode) row)
                .deepCopy()
                .put(
                        "uses",
                        String.format(
                                Locale.ROOT, "%.1f %%", 100 * row.path("uses").asDouble()))));
        return rows;
    }
}
