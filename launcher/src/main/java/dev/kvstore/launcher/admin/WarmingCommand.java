package dev.kvstore.launcher.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.launcher.ReportFile;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.RestRequest;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kv admin warming}: commands for an existing warming. */
@Command(
        name = "warming",
        description = "Follows a warming, has it wait, go on or end, or lists the blocks that it could not copy.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {"", "  kv admin get warmings --account acme-prod", "  kv admin warming pause w-20261123-101500-3fa9c1"
        })
final class WarmingCommand implements Callable<Integer> {
    private static final Set<String> CHANGES = Set.of("pause", "resume", "cancel");

    @Parameters(
            index = "0",
            paramLabel = "watch|pause|resume|cancel|failures",
            description = "What the warming is to do.")
    private String verb = "";

    @Parameters(index = "1", paramLabel = "ID", description = "Id of the warming.")
    private String id = "";

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Failures to list at most. Default: ${DEFAULT-VALUE}.")
    private int limit;

    @Mixin
    private final Output output = new Output();

    @Mixin
    private final ConnectionFlags connection = new ConnectionFlags();

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        if (limit < 1) {
            throw new IllegalArgumentException("--limit: must be 1 or more, not " + limit);
        }
        ReportFile file = output.file();
        try (AdminClient client = connection.open()) {
            if (verb.equals("failures")) {
                failures(client, file);
                return 0;
            }
            JsonNode warming = warming(client);
            output.show(spec.commandLine().getOut(), file, warming, JsonTable.of(warming));
            return verb.equals("watch") ? WarmingProgress.exitCode(warming) : 0;
        }
    }

    private JsonNode warming(AdminClient client) throws InterruptedException {
        if (verb.equals("watch")) {
            return new WarmingProgress(client, spec.commandLine().getErr()).follow(id);
        }
        if (!CHANGES.contains(verb)) {
            throw new IllegalArgumentException("must be watch, pause, resume, cancel or failures, not " + verb);
        }
        return client.send(RestRequest.post(List.of("v1", "warmings", id, verb), null))
                .accepted()
                .body();
    }

    private void failures(AdminClient client, ReportFile file) throws InterruptedException {
        AdminClient.ListedItems found = client.list(RestRequest.get(List.of("v1", "warmings", id, "failures")), limit);
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.putArray("items").addAll(found.items());
        json.put("next", found.next());
        output.show(
                spec.commandLine().getOut(),
                file,
                json,
                found.items().isEmpty()
                        ? "no block failed\n"
                        : JsonTable.of(List.of("root", "hash", "reason"), found.items()));
    }
}
