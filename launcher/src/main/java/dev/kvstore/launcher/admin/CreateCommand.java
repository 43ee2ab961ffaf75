package dev.kvstore.launcher.admin;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.launcher.ReportFile;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.RestRequest;
import dev.kvstore.launcher.rest.RestResponse;
import java.util.LinkedHashMap;
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

/** {@code kv admin create}: makes a key or a join token, whose secret is shown this once. */
@Command(
        name = "create",
        description = "Makes a key for a tenant, or a join token for a cluster. It is shown this once.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "  kv admin create key --tenant acme --label batch",
            "  kv admin create join-token --cluster eu-1-a --label \"rack 7\""
        })
final class CreateCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "key|join-token", description = "What is made; all else is put.")
    private String kind = "";

    @Option(names = "--tenant", paramLabel = "T", description = "Tenant of a new key.")
    private @Nullable String tenant;

    @Option(names = "--cluster", paramLabel = "C", description = "Cluster of a new join token.")
    private @Nullable String cluster;

    @Option(names = "--label", paramLabel = "L", description = "Text for people.")
    private @Nullable String label;

    @Option(names = "--expires-at", paramLabel = "T", description = "When it ends, as in 2027-01-01T00:00:00Z.")
    private @Nullable String expiresAt;

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
        if (!resourceKind.equals(ResourceKind.KEY) && !resourceKind.equals(ResourceKind.JOIN_TOKEN)) {
            throw new IllegalArgumentException(
                    "only keys and join tokens are created; kv admin put makes and changes all else");
        }
        Map<String, String> given = new LinkedHashMap<>();
        ScopeFlags.put(given, "tenant", tenant);
        ScopeFlags.put(given, "cluster", cluster);
        List<String> path = ScopeFlags.path(String.valueOf(resourceKind.list()), given);
        ScopeFlags.requireOnly(given, List.of(), resourceKind);
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        if (label != null) {
            body.put("label", label);
        }
        if (expiresAt != null) {
            body.put("expiresAt", expiresAt);
        }
        ReportFile file = output.file();
        try (AdminClient client = connection.open()) {
            RestResponse response = client.send(RestRequest.post(path, body)).accepted();
            output.show(spec.commandLine().getOut(), file, response.body(), JsonTable.of(response.body()));
        }
        return 0;
    }
}
