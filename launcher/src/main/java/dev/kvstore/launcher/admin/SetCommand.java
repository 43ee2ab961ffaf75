package dev.kvstore.launcher.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
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
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kv admin set}: changes single fields. */
@Command(
        name = "set",
        description = "Changes fields of something that is there, and keeps all its other fields.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "  kv admin set cluster eu-1-a addresses=10.1.0.0/16:8085-8099",
            "  kv admin set account acme-prod maxOfflineSeconds=300",
            "  kv admin set account acme-prod region=us-1 credential=managed-identity",
            "  kv admin set grant reader --account acme-prod --unset expiresAt",
            "Of an account with several replicas, region=R says which one the fields of a replica are for."
        })
final class SetCommand implements Callable<Integer> {
    @Parameters(
            index = "0",
            paramLabel = "KIND",
            description = "tenant, key, account, grant, placement, region, cluster or process.")
    private String kind = "";

    @Parameters(index = "1", paramLabel = "NAME", description = "Its name; of a key, its id.")
    private String item = "";

    @Parameters(index = "2..*", paramLabel = "FIELD=VALUE", description = "Fields and their new values.")
    private List<String> fields = List.of();

    @Option(names = "--unset", paramLabel = "FIELD", description = "Have this field be as at first. Repeatable.")
    private List<String> unset = List.of();

    @Mixin
    private final ScopeFlags scope = new ScopeFlags();

    @Mixin
    private final Match match = new Match();

    @Mixin
    private final Output output = new Output();

    @Mixin
    private final ConnectionFlags connection = new ConnectionFlags();

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        ResourceKind resourceKind = ResourceKind.of(kind);
        resourceKind.require("PATCH", "set");
        if (fields.isEmpty() && unset.isEmpty()) {
            throw new IllegalArgumentException("FIELD=VALUE: is missing, and so is --unset; nothing would change");
        }
        List<String> path = match.path(resourceKind, item, scope);
        ObjectNode patch = Body.patch(resourceKind, fields, unset);
        Map<String, String> headers = match.headers();
        ReportFile file = output.file();
        try (AdminClient client = connection.open()) {
            if (patch.get(Body.REPLICAS) instanceof ArrayNode changed) {
                JsonNode known = client.send(RestRequest.get(path)).accepted().body();
                patch.set(Body.REPLICAS, SettableFields.replicas(resourceKind, item, known, changed.path(0)));
                // A list is sent as a whole, so the resource must not have changed since it was read.
                headers =
                        headers.isEmpty() ? Match.headers(known.path("version").asText()) : headers;
            }
            JsonNode after = client.send(RestRequest.patch(path, patch).withHeaders(headers))
                    .accepted()
                    .body();
            String text = "changed " + resourceKind.name() + " " + item + "\n\n" + JsonTable.of(after);
            output.show(spec.commandLine().getOut(), file, after, text);
        }
        return 0;
    }
}
