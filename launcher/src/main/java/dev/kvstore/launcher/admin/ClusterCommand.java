package dev.kvstore.launcher.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.launcher.ReportFile;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.RestRequest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kv admin cluster}: makes a cluster take work, or no more of it. */
@Command(
        name = "cluster",
        description = "Has a cluster take new work, or take none and finish what it has.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {"", "  kv admin cluster drain eu-1-a", "  kv admin cluster activate eu-1-a"})
final class ClusterCommand implements Callable<Integer> {
    private static final Map<String, String> STATES = Map.of("drain", "draining", "activate", "active");

    @Parameters(index = "0", paramLabel = "drain|activate", description = "What the cluster is to do.")
    private String verb = "";

    @Parameters(index = "1", paramLabel = "NAME", description = "Name of the cluster.")
    private String item = "";

    @Mixin
    private final Output output = new Output();

    @Mixin
    private final ConnectionFlags connection = new ConnectionFlags();

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        String state = STATES.get(verb);
        if (state == null) {
            throw new IllegalArgumentException("must be drain or activate, not " + verb);
        }
        ReportFile file = output.file();
        List<String> path = List.of("v1", "clusters", item);
        try (AdminClient client = connection.open()) {
            JsonNode known = client.send(RestRequest.get(path)).accepted().body();
            ObjectNode wanted = JsonNodeFactory.instance.objectNode();
            wanted.set("region", known.path("region"));
            wanted.put("state", state);
            // The ETag guards against another admin's change meanwhile.
            String version = "\"" + known.path("version").asText() + "\"";
            JsonNode after = client.send(RestRequest.put(path, wanted).withHeaders(Map.of("If-Match", version)))
                    .accepted()
                    .body();
            String text = item + " is " + state + "\n\n" + JsonTable.of(after);
            output.show(spec.commandLine().getOut(), file, after, text);
        }
        return 0;
    }
}
