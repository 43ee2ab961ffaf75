package dev.kvstore.launcher.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
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

/** {@code kv admin purge}: deletes blocks of an account everywhere, and shows the progress. */
@Command(
        name = "purge",
        description =
                "Deletes a partition, a block, or all that a key wrote, in storage and in memory and on disk of all"
                        + " data planes of all regions, and shows how far it is. Ctrl-C ends the showing, not the purge.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "  kv admin purge acme-prod --partition llama-70b",
            "  kv admin purge acme-prod --partition llama-70b --block 14f3...8dce",
            "  kv admin delete key 0a1b2c3d --tenant acme && kv admin purge acme-prod --key 0a1b2c3d",
            "  kv admin purge --follow p-20261123-101500-3fa9c1",
            "",
            "What is written while a purge runs may be deleted or may stay: revoke a key before you purge what it wrote."
        })
final class PurgeCommand implements Callable<Integer> {
    @Parameters(index = "0", arity = "0..1", paramLabel = "RESOURCE", description = "Name of the account.")
    private @Nullable String resource;

    /** The flags that select blocks, or a purge. */
    static final class PurgeSelection {
        @Option(names = "--partition", paramLabel = "P", description = "All blocks of this partition.")
        private @Nullable String partition;

        @Option(names = "--key", paramLabel = "ID", description = "All blocks that the key with this id wrote.")
        private @Nullable String key;

        @Option(names = "--follow", paramLabel = "ID", description = "Show how far a purge is that was begun.")
        private @Nullable String follow;

        @Option(names = "--cancel", paramLabel = "ID", description = "End a purge. What was deleted stays deleted.")
        private @Nullable String cancel;
    }

    @ArgGroup(exclusive = true, multiplicity = "1")
    private PurgeSelection which = new PurgeSelection();

    @Option(names = "--block", paramLabel = "HASH", description = "Only the block of the partition with this hash.")
    private @Nullable String block;

    @Option(
            names = "--block-tokens",
            paramLabel = "N",
            description = "Tokens per block of the partition. Default: 128.")
    private @Nullable Integer blockTokens;

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
        String begun = which.follow;
        boolean made = begun == null && which.cancel == null;
        if (made == (resource == null)) {
            throw new IllegalArgumentException(
                    made ? "RESOURCE: is missing" : "RESOURCE: has no meaning with --follow and --cancel");
        }
        ReportFile file = output.file();
        try (AdminClient client = connection.open()) {
            JsonNode purge =
                    begun != null ? null : client.send(question()).accepted().body();
            String id = purge == null ? String.valueOf(begun) : purge.path("id").asText();
            if (made) {
                begun(id);
            }
            if (purge == null || (made && !detach)) {
                purge = new PurgeProgress(client, spec.commandLine().getErr()).follow(id);
            }
            output.show(spec.commandLine().getOut(), file, purge, JsonTable.of(purge));
            return (made && detach) || which.cancel != null ? 0 : PurgeProgress.exitCode(purge);
        }
    }

    private void begun(String id) {
        spec.commandLine().getErr().println(Plain.line(id));
        if (which.key != null) {
            spec.commandLine()
                    .getErr()
                    .println(
                            "kv: blocks that the key writes from now on may stay: revoke the key first, else purge again");
        }
    }

    private RestRequest question() {
        if (which.cancel != null) {
            return RestRequest.post(List.of("v1", "purges", which.cancel, "cancel"), null);
        }
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("resourceName", resource);
        put(body, "partition", which.partition);
        put(body, "blockTokens", blockTokens);
        put(body, "block", block);
        put(body, "key", which.key);
        return RestRequest.post(List.of("v1", "purges"), body);
    }

    private static void put(ObjectNode body, String field, @Nullable Object value) {
        if (value != null) {
            body.putPOJO(field, value);
        }
    }
}
