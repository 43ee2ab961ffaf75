package dev.kvstore.launcher.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.launcher.ReportFile;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.RestRequest;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kv admin get}: shows a list as a table, or one resource with every field. */
@Command(
        name = "get",
        description = "Lists what there is, or shows one thing with all its fields.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class GetCommand implements Callable<Integer> {
    @Parameters(
            index = "0",
            paramLabel = "KIND",
            description = "tenants, keys, accounts, grants, placements, regions, round-trips, clusters, processes,"
                    + " warmings or audit; or one of them, as in: tenant NAME.")
    private String kind = "";

    @Parameters(index = "1", paramLabel = "NAME", arity = "0..1", description = "Name of the one to show.")
    private @Nullable String item;

    @Mixin
    private final ScopeFlags scope = new ScopeFlags();

    @Option(
            names = "--state",
            paramLabel = "S",
            description = "Only those in this state: tenants, accounts, clusters, warmings.")
    private @Nullable String state;

    @Option(names = "--kind", paramLabel = "K", description = "About this kind: audit.")
    private @Nullable String about;

    @Option(names = "--name", paramLabel = "N", description = "Only changes of the resource with this name: audit.")
    private @Nullable String named;

    @Option(names = "--actor", paramLabel = "W", description = "Only changes by this actor: audit.")
    private @Nullable String actor;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Entries to list at most; pages are followed. Default: ${DEFAULT-VALUE}.")
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
        ResourceKind resourceKind = ResourceKind.of(kind);
        if (limit < 1) {
            throw new IllegalArgumentException("--limit: must be 1 or more, not " + limit);
        }
        Map<String, String> given = scope.given();
        ScopeFlags.put(given, "state", state);
        ScopeFlags.put(given, "kind", about);
        ScopeFlags.put(given, "name", named);
        ScopeFlags.put(given, "actor", actor);
        ReportFile file = output.file();
        if (item == null) {
            RestRequest request = list(resourceKind, given);
            try (AdminClient client = connection.open()) {
                showList(resourceKind, client.list(request, limit), file);
            }
        } else {
            ItemReader reader = ItemReader.of(resourceKind, item, given);
            try (AdminClient client = connection.open()) {
                show(reader.read(client), file);
            }
        }
        return 0;
    }

    private static RestRequest list(ResourceKind kind, Map<String, String> given) {
        if (kind.list() == null) {
            throw new IllegalArgumentException("there is no list of " + kind.plural() + "; see the accounts");
        }
        boolean received = kind.equals(ResourceKind.GRANT) && !given.containsKey("account");
        RestRequest request =
                RestRequest.get(ScopeFlags.path(received ? "v1/tenants/{tenant}/grants" : kind.list(), given));
        ScopeFlags.requireOnly(given, kind.filters(), kind);
        for (Map.Entry<String, String> filter : given.entrySet()) {
            request = request.with(filter.getKey(), filter.getValue());
        }
        return request;
    }

    private void show(JsonNode found, ReportFile file) {
        output.show(spec.commandLine().getOut(), file, found, JsonTable.of(found));
    }

    private void showList(ResourceKind resourceKind, AdminClient.ListedItems found, ReportFile file) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.putArray("items").addAll(found.items());
        json.put("next", found.next());
        String none = "no " + resourceKind.plural() + "\n";
        String table = found.items().isEmpty() ? none : JsonTable.of(resourceKind.columns(), found.items());
        output.show(spec.commandLine().getOut(), file, json, table);
        if (found.next() != null) {
            spec.commandLine()
                    .getErr()
                    .println("kv: these are the first " + found.items().size() + "; there are more: --limit");
        }
    }
}
