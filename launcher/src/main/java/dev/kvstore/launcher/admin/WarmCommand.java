package dev.kvstore.launcher.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.launcher.Period;
import dev.kvstore.launcher.ReportFile;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.Plain;
import dev.kvstore.launcher.rest.RestRequest;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kv admin warm}: copies an account's blocks into another region, and shows the progress. */
@Command(
        name = "warm",
        description =
                "Copies an account's blocks from one region's storage into another's, the hottest first, and shows"
                        + " how far it is. Ctrl-C ends the showing, not the copying: kv admin warming cancel ID does.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "  kv admin warm acme-prod --from eu-1 --to us-1 --hottest 500G --preheat memory",
            "  kv admin warm acme-prod --from eu-1 --to us-1 --used --every 30s",
            "  kv admin warm acme-prod --from eu-1 --to us-1 --partition llama-70b --rate 200M",
            "  kv admin warm acme-prod --from eu-1 --to us-1 --stored-since 2026-11-01T00:00:00Z --detach"
        })
final class WarmCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "RESOURCE", description = "Name of the account.")
    private String resource = "";

    @Option(names = "--from", paramLabel = "R", required = true, description = "The region that has the blocks.")
    private String from = "";

    @Option(names = "--to", paramLabel = "R", required = true, description = "The region that is to have them.")
    private String to = "";

    /** The flags that select blocks. */
    static final class WarmSelection {
        @Option(
                names = "--hottest",
                paramLabel = "BYTES",
                converter = Amount.class,
                description = "Those used most of late, such as 500G.")
        private @Nullable Long hottest;

        @Option(
                names = "--used",
                description =
                        "Those that were used since the last time, with --every; at first all of whose use is known.")
        private boolean used;

        @Option(
                names = "--prefix",
                paramLabel = "HASH",
                description = "The block with this hash and those before it in its prompt; with --partition.")
        private @Nullable String prefix;

        @Option(names = "--stored-since", paramLabel = "TIME", description = "Those stored at or after a time.")
        private @Nullable String storedSince;

        @Option(names = "--all", description = "All that are stored.")
        private boolean all;
    }

    @ArgGroup(exclusive = true)
    private WarmSelection which = new WarmSelection();

    @Option(names = "--partition", paramLabel = "P", description = "Only of this partition; alone: all of it.")
    private @Nullable String partition;

    @Option(
            names = "--block-tokens",
            paramLabel = "N",
            description = "Tokens per block of the partition. Default: 128.")
    private @Nullable Integer blockTokens;

    @Option(
            names = "--rate",
            paramLabel = "BYTES",
            converter = Amount.class,
            description = "Per second, of all processes together. Default: 100M.")
    private @Nullable Long rate;

    @Option(
            names = "--requests",
            paramLabel = "N",
            description = "Calls to either storage per second, of all processes together. Default: 2000.")
    private @Nullable Integer requests;

    @Option(
            names = "--preheat",
            paramLabel = "TIER",
            description = "How near the blocks are kept there: storage, disk or memory, as far as there is room."
                    + " Default: storage.")
    private @Nullable String preheat;

    @Option(
            names = "--every",
            paramLabel = "TIME",
            converter = Period.class,
            description = "Again and again, such as 30s, 10m, 6h or 1d, until it is cancelled; implies --detach.")
    private @Nullable Long every;

    @Option(names = "--detach", description = "Do not wait for the end.")
    private boolean detach;

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
            JsonNode warming = client.send(RestRequest.post(List.of("v1", "warmings"), body()))
                    .accepted()
                    .body();
            if (!detach && every == null) {
                spec.commandLine()
                        .getErr()
                        .println(Plain.line(warming.path("id").asText()));
                warming = new WarmingProgress(client, spec.commandLine().getErr())
                        .follow(warming.path("id").asText());
            }
            output.show(spec.commandLine().getOut(), file, warming, JsonTable.of(warming));
            return WarmingProgress.exitCode(warming);
        }
    }

    private ObjectNode body() {
        ObjectNode body = JsonNodeFactory.instance
                .objectNode()
                .put("resourceName", resource)
                .put("from", from)
                .put("to", to);
        ObjectNode select = body.putObject("select");
        put(select, "hottestBytes", which.hottest);
        put(select, "used", which.used ? Boolean.TRUE : null);
        put(select, "prefix", which.prefix);
        put(select, "storedSince", which.storedSince);
        put(select, "all", which.all ? Boolean.TRUE : null);
        put(select, "partition", partition);
        put(select, "blockTokens", blockTokens);
        put(body, "bytesPerSecond", rate);
        put(body, "requestsPerSecond", requests);
        put(body, "preheat", preheat);
        put(body, "everySeconds", every);
        return body;
    }

    private static void put(ObjectNode body, String field, @Nullable Object value) {
        if (value != null) {
            body.putPOJO(field, value);
        }
    }
}
