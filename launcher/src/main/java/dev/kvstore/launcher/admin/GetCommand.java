package dev.kvstore.launcher.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.launcher.stack.ReportFile;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kv admin get}: a list as a table, or one thing with every field. */
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
    private final Scope scope = new Scope();

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
    private final Connection connection = new Connection();

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        Kind wanted = Kind.of(kind);
        if (limit < 1) {
            throw new IllegalArgumentException("--limit: must be 1 or more, not " + limit);
        }
        Map<String, String> given = scope.given();
        Scope.put(given, "state", state);
        Scope.put(given, "kind", about);
        Scope.put(given, "name", named);
        Scope.put(given, "actor", actor);
        Call call = item == null ? list(wanted, given) : item(wanted, item, given);
        ReportFile file = output.file();
        try (AdminClient client = connection.open()) {
            if (item == null) {
                showList(wanted, client.list(call, limit), file);
            } else if (wanted.methods().contains("GET")) {
                show(client.send(call).accepted().body(), file);
            } else {
                show(find(wanted, item, client.list(call, Integer.MAX_VALUE)), file);
            }
        }
        return 0;
    }

    private static Call list(Kind kind, Map<String, String> given) {
        if (kind.list() == null) {
            throw new IllegalArgumentException("there is no list of " + kind.plural() + "; see the accounts");
        }
        boolean received = kind.equals(Kind.GRANT) && !given.containsKey("account");
        Call call = Call.get(Scope.path(received ? "v1/tenants/{tenant}/grants" : kind.list(), given));
        Scope.requireOnly(given, kind.filters(), kind);
        for (Map.Entry<String, String> filter : given.entrySet()) {
            call = call.with(filter.getKey(), filter.getValue());
        }
        return call;
    }

    private static Call item(Kind kind, String name, Map<String, String> given) {
        boolean alone = kind.item() != null && kind.methods().contains("GET");
        if (!alone && (kind.list() == null || kind.item() == null)) {
            throw new IllegalArgumentException("one of " + kind.plural() + " cannot be shown by name");
        }
        if (alone) {
            given.put("name", name);
        }
        Call call =
                Call.get(Scope.path(alone && kind.item() != null ? kind.item() : String.valueOf(kind.list()), given));
        Scope.requireOnly(given, List.of(), kind);
        return call;
    }

    /** One of a kind of which REST has lists only. */
    private static JsonNode find(Kind kind, String name, AdminClient.Items items) {
        return items.items().stream()
                .filter(item -> item.path(kind.columns().getFirst()).asText().equals(name))
                .findFirst()
                .orElseThrow(() -> new AdminException(0, "there is no " + kind.name() + " " + name));
    }

    private void show(JsonNode found, ReportFile file) {
        output.show(spec.commandLine().getOut(), file, found, Table.of(found));
    }

    private void showList(Kind wanted, AdminClient.Items found, ReportFile file) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.putArray("items").addAll(found.items());
        json.put("next", found.next());
        String none = "no " + wanted.plural() + "\n";
        String table = found.items().isEmpty() ? none : Table.of(wanted.columns(), found.items());
        output.show(spec.commandLine().getOut(), file, json, table);
        if (found.next() != null) {
            spec.commandLine()
                    .getErr()
                    .println("kv: these are the first " + found.items().size() + "; there are more: --limit");
        }
    }
}
