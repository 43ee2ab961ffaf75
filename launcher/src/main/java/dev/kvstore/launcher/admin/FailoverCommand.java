package dev.kvstore.launcher.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.launcher.ReportFile;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.RestRequest;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kv admin failover}: shows the cold blocks of a failover, and with {@code --yes} moves an account's home. */
@Command(
        name = "failover",
        description = "Shows what would be cold if another region were an account's home, and with --yes makes it so.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "  kv admin failover acme-prod --to us-1",
            "  kv admin failover acme-prod --to us-1 --leave --yes",
            "Clients near the old home go on being served there while it is well, unless it is left. A later failover back",
            "ends that."
        })
final class FailoverCommand implements Callable<Integer> {
    private static final double WORTH_WARMING = 0.05;

    @Parameters(index = "0", paramLabel = "RESOURCE", description = "Name of the account.")
    private String resource = "";

    @Option(names = "--to", paramLabel = "R", required = true, description = "The region that is to be home.")
    private String to = "";

    @Option(names = "--leave", description = "Have nobody served in the region that was home, for now.")
    private boolean leave;

    @Option(names = "--yes", description = "Do it; without, nothing changes.")
    private boolean yes;

    @Mixin
    private final Output output = new Output();

    @Mixin
    private final ConnectionFlags connection = new ConnectionFlags();

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        ReportFile file = output.file();
        try (AdminClient client = connection.open()) {
            JsonNode failover = yes ? done(client) : planned(client);
            output.show(spec.commandLine().getOut(), file, failover, text(failover));
        }
        return 0;
    }

    private List<String> path() {
        return List.of("v1", "accounts", resource, "failover", to);
    }

    private JsonNode planned(AdminClient client) throws InterruptedException {
        return client.send(RestRequest.get(path())).accepted().body();
    }

    private JsonNode done(AdminClient client) throws InterruptedException {
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("leave", leave);
        return client.send(RestRequest.post(path(), body)).accepted().body();
    }

    private String text(JsonNode failover) {
        String table = JsonTable.of(failover);
        if (yes) {
            return resource + ": " + to + " is home now\n\n" + table;
        }
        return table
                + (failover.path("coldUses").asDouble() > WORTH_WARMING
                        ? "\nto warm it first: kv admin warm " + resource + " --from "
                                + failover.path("from").asText() + " --to " + to + " --used\n"
                        : "")
                + "\nnothing has changed; to do it: kv admin failover " + resource + " --to " + to
                + (leave ? " --leave" : "") + " --yes\n";
    }
}
